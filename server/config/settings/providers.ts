import { z } from 'zod';
import { setting } from '../setting.ts';
import { list } from '../values.ts';

/** OpenID Connect and LDAP, where people of the organisation sign in. */
export const PROVIDER_SETTINGS = {
  'oidc.issuer': setting({
    schema: z
      .url()
      .refine(
        (address) => /^(https:|http:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]?)/.test(address),
        'must be an https address',
      )
      .nullable(),
    default: null,
    environment: 'WAYPOST_OIDC_ISSUER',
    reason:
      'Issuer of an OpenID Connect provider, where people of the organisation sign in. Register https://STATION/auth/oidc/callback there. Default: none.',
  }),
  'oidc.clientId': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_OIDC_CLIENT_ID',
    reason: 'Name of the station at the provider.',
  }),
  'oidc.clientSecret': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_OIDC_CLIENT_SECRET',
    reason: 'Its secret there; none for a public client. PKCE is used in any case.',
  }),
  'oidc.name': setting({
    schema: z.string().min(1).max(4096),
    default: 'OpenID Connect',
    environment: 'WAYPOST_OIDC_NAME',
    reason: 'Name of the provider on the button of the sign-in page. Default: the organisation.',
  }),
  'oidc.scopes': setting({
    schema: z.string().min(1).max(4096),
    default: 'openid profile email',
    environment: 'WAYPOST_OIDC_SCOPES',
    reason: 'Scopes to ask for. Some providers send groups only with a scope of their own.',
  }),
  'oidc.loginClaim': setting({
    schema: z.string().min(1).max(4096),
    default: 'preferred_username',
    environment: 'WAYPOST_OIDC_LOGIN_CLAIM',
    reason: 'Claim that holds the login.',
  }),
  'oidc.groupsClaim': setting({
    schema: z.string().min(1).max(4096),
    default: 'groups',
    environment: 'WAYPOST_OIDC_GROUPS_CLAIM',
    reason: 'Claim that lists the groups.',
  }),
  'oidc.acr': setting({
    schema: list.refine(
      (values) => values.every((value) => /^[!-~]+$/.test(value)),
      'must be values without spaces, in ASCII',
    ),
    default: [],
    environment: 'WAYPOST_OIDC_ACR',
    reason:
      'Values of `acr` (how strongly the provider checked the person), one of which its ID token must have. Default: any.',
  }),
  'oidc.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_OIDC_AUTHORITY',
    reason:
      'PEM file of the authority that signed the certificate of the provider. Default: the well-known authorities.',
  }),
  'ldap.address': setting({
    schema: z.url({ protocol: /^ldaps?$/, message: 'must be an address such as ldaps://directory.example' }).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_ADDRESS',
    reason: 'LDAP or Active Directory that checks the passwords of those who have none at this station. Default: none.',
  }),
  'ldap.startTls': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_LDAP_START_TLS',
    reason: 'Encrypts a connection to ldap:// before the first password.',
  }),
  'ldap.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_AUTHORITY',
    reason:
      'PEM file of the authority that signed the certificate of the directory, or of that certificate. Default: the well-known authorities.',
  }),
  'ldap.bindName': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_BIND_NAME',
    reason: 'Account that searches for people: its DN, or NAME@DOMAIN in Active Directory.',
  }),
  'ldap.bindPassword': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_BIND_PASSWORD',
    reason: 'Password of that account.',
  }),
  'ldap.base': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_BASE',
    reason: 'Base DN of people, such as ou=people,dc=example,dc=org.',
  }),
  'ldap.loginAttribute': setting({
    schema: z.string().min(1).max(4096),
    default: 'uid',
    environment: 'WAYPOST_LDAP_LOGIN_ATTRIBUTE',
    reason: 'Attribute that holds the login; sAMAccountName in Active Directory.',
  }),
  'ldap.idAttribute': setting({
    schema: z.string().min(1).max(4096),
    default: 'entryUUID',
    environment: 'WAYPOST_LDAP_ID_ATTRIBUTE',
    reason: 'Attribute that stays when a person is renamed; objectGUID in Active Directory.',
  }),
  'ldap.groups': setting({
    schema: z.enum(['memberOf', 'member', 'nested']),
    default: 'memberOf',
    environment: 'WAYPOST_LDAP_GROUPS',
    reason:
      'How groups are found: `memberOf` of the person, groups with the person as `member`, or `nested`: groups in such groups, too.',
  }),
  'ldap.groupBase': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_GROUP_BASE',
    reason: 'Base DN of groups. Default: that of people.',
  }),
} as const;
