export { loopbackAddress } from './hand-overs.ts';
export type { Loopback } from './hand-overs.ts';
export type { LdapDirectory } from './ldap-directory.ts';
export type { OpenIdProvider } from './openid-provider.ts';
export { stationOfSecret } from './secret-of-station.ts';

// Their libraries are loaded only for a station that has one of them.
export const loadOpenIdProvider = async () => (await import('./openid-provider.ts')).OpenIdProvider;
export const loadLdapDirectory = async () => (await import('./ldap-directory.ts')).LdapDirectory;
