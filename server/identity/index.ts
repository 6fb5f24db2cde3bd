export { LdapDirectory } from './ldap-directory.ts';
export { loopbackAddress } from './hand-overs.ts';
export type { Loopback } from './hand-overs.ts';
export { OpenIdProvider } from './openid-provider.ts';
