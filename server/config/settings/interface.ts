import { z } from 'zod';
import { setting } from '../setting.ts';
import { networkList, port } from '../values.ts';

/** The data directory, and where the interface listens. */
export const INTERFACE_SETTINGS = {
  'data': setting({
    schema: z.string().min(1),
    default: 'data',
    flag: 'data',
    environment: 'WAYPOST_DATA',
    reason: 'Directory of everything that the station keeps. Created if missing.',
  }),
  'port': setting({
    schema: port,
    default: 8480,
    flag: 'port',
    environment: 'WAYPOST_PORT',
    reason: 'Port of the interface and the console; 0 takes a free one.',
  }),
  'host': setting({
    schema: z.string().min(1).max(255),
    default: '127.0.0.1',
    flag: 'host',
    environment: 'WAYPOST_HOST',
    reason: 'Address to listen on. By default only this machine can connect; 0.0.0.0: all machines.',
  }),
  'tlsPort': setting({
    schema: port.nullable(),
    default: null,
    flag: 'tls-port',
    environment: 'WAYPOST_TLS_PORT',
    reason:
      'Port for TLS, with a certificate that the station makes for itself. 8443 when the station listens beyond this machine, else none.',
  }),
  'tls.certificate': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_TLS_CERTIFICATE',
    reason:
      'File with your own certificate and its chain (PEM). Changes apply without a restart; the station never writes it. If not set: the station makes one for itself.',
  }),
  'tls.key': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_TLS_KEY',
    reason: 'File with the key of your own certificate (PEM, without a passphrase).',
  }),
  'tls.subdomains': setting({
    schema: z.boolean(),
    default: false,
    environment: 'WAYPOST_TLS_SUBDOMAINS',
    reason:
      'Browsers that know the station open all names below its own over TLS alone (HSTS). Set it where you own those names.',
  }),
  'acme.name': setting({
    schema: z
      .string()
      .max(253)
      .regex(/^(?!.*\.\.)[a-z0-9][a-z0-9.-]*\.[a-z][a-z0-9-]*$/i, 'must be a public name such as station.example.org')
      .nullable(),
    default: null,
    environment: 'WAYPOST_ACME_NAME',
    reason:
      'Public name of the station. An authority (ACME, such as Let’s Encrypt) signs its certificate and renews it; port 80 of the name must lead to the HTTP port. If not set: no authority is asked.',
  }),
  'acme.email': setting({
    schema: z.email().nullable(),
    default: null,
    environment: 'WAYPOST_ACME_EMAIL',
    reason: 'E-mail address to which that authority writes.',
  }),
  'acme.directory': setting({
    schema: z.url({ protocol: /^https$/, message: 'must be an https address' }),
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    environment: 'WAYPOST_ACME_DIRECTORY',
    reason: 'Address of the authority. Setting `acme.name` accepts its terms.',
  }),
  'acme.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_ACME_AUTHORITY',
    reason:
      'PEM file of the authority that signed the certificate of that address. Default: the well-known authorities.',
  }),
  'http.trustedProxies': setting({
    schema: networkList,
    default: [],
    environment: 'WAYPOST_TRUSTED_PROXIES',
    reason:
      'Addresses and networks (10.0.0.0/8) of your reverse proxies. X-Forwarded-For, -Proto, -Host and Forwarded are trusted only from these. Default: none.',
  }),
  'http.tokenInQuery': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_TOKEN_IN_QUERY',
    reason:
      'Programs may send their token as `?token=`, which proxies write into their logs. `false`: only in the header or the cookie.',
  }),
  'http.costPerMinute': setting({
    schema: z.int().min(1).max(1_000_000),
    default: 3000,
    environment: 'WAYPOST_COST_PER_MINUTE',
    reason:
      'Points of costly requests per minute for a user, a key or an address: a search costs 1, a workbook 10, a table of 500 places 25. Keys for routing have 20 times as many; this machine is not limited.',
  }),
} as const;
