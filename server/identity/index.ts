export { LdapDirectory } from './ldap-directory.ts';
export { OpenIdProvider } from './openid-provider.ts';
