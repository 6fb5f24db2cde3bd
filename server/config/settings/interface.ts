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
    reason: 'Directory of everything that the station keeps. Made when it is not there.',
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
    reason: 'Address to listen on. Only this machine, until you ask for more (0.0.0.0).',
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
      'File with your own certificate and its chain (PEM). It is followed without a restart and never written. None: the station makes one for itself.',
  }),
  'tls.key': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_TLS_KEY',
    reason: 'File with the key of your own certificate (PEM, without a passphrase).',
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
      'Public name of the station. An authority (ACME, such as Let’s Encrypt) signs its certificate and renews it; port 80 of the name must lead to the HTTP port. None: nobody is asked.',
  }),
  'acme.email': setting({
    schema: z.email().nullable(),
    default: null,
    environment: 'WAYPOST_ACME_EMAIL',
    reason: 'Where that authority writes to.',
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
    reason: 'PEM file of who signed the certificate of that address itself. The well-known ones.',
  }),
  'http.trustedProxies': setting({
    schema: networkList,
    default: [],
    environment: 'WAYPOST_TRUSTED_PROXIES',
    reason:
      'Addresses and networks (10.0.0.0/8) of your reverse proxies. X-Forwarded-For, -Proto, -Host and Forwarded are believed from these alone. None.',
  }),
  'http.costPerMinute': setting({
    schema: z.int().min(1).max(1_000_000),
    default: 3000,
    environment: 'WAYPOST_COST_PER_MINUTE',
    reason:
      'Points of costly questions that a user, a key or an address may ask in a minute: a search costs 1, a workbook 10, a table of 500 places 25. Keys for routing have 20 times as many; this machine is not limited.',
  }),
} as const;
