import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { PARTITIONS } from './nats/subjects.ts';
import { areNetworks } from './platform/networks.ts';
import { DECODERS, type DecoderName } from './telemetry/decoders/index.ts';

/** A wrong setting. The message is a sentence for the user who started the program. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

const port = z.int().min(0).max(65_535);
const portOrOff = z.int().min(1).max(65_535).nullable();

const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter((part) => part !== '') : value),
  z.array(z.string().min(1).max(100)).max(100),
);
const networkList = list.refine(areNetworks, {
  error: 'must be addresses or networks such as 127.0.0.1, 10.0.0.0/8',
});

/** Groups and what they are here, as JSON in the environment. */
const groupGrants = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  },
  z
    .array(
      z.strictObject({
        group: z.string().min(1).max(500),
        role: z.string().min(1).max(100),
        organization: z.string().min(1).max(100).optional(),
      }),
    )
    .max(200),
);

const ALL_PARTITIONS = Array.from({ length: PARTITIONS }, (_, partition) => partition);
const partitions = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/).map(Number) : value),
    z
      .array(
        z
          .int()
          .min(0)
          .max(PARTITIONS - 1),
      )
      .max(PARTITIONS),
  )
  .nullable();

interface Setting<T extends z.ZodType> {
  readonly schema: T;
  readonly default: z.output<T>;
  /** The command-line flag, without dashes. Settings without one come from the environment or the file. */
  readonly flag?: string;
  readonly environment?: string;
  /** What it is, and the reason for its default: the line in `--help`. */
  readonly reason: string;
  /** A flag without a value. */
  readonly plain?: true;
}

const setting = <T extends z.ZodType>(definition: Setting<T>) => definition;

type DevicePortSettings = { [Name in DecoderName as `${Name}Port`]: Setting<typeof portOrOff> };

/** One setting for each protocol of devices, such as `wialonPort`; all are off by default. */
function devicePortSettings(): DevicePortSettings {
  return Object.fromEntries(
    DECODERS.map(({ name, devices }) => [
      `${name}Port`,
      setting({
        schema: portOrOff,
        default: null,
        environment: `WAYPOST_${name.toUpperCase()}_PORT`,
        reason: `Port for ${devices}. Off.`,
      }),
    ]),
  ) as DevicePortSettings;
}

/**
 * Every setting of a station, read once. Flags come first, then the environment, then `station.json` in the
 * data directory (by the names on the left), then the default.
 */
export const SETTINGS = {
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
  'routerPort': setting({
    schema: port.nullable(),
    default: null,
    flag: 'router-port',
    environment: 'WAYPOST_ROUTER_PORT',
    reason: 'A second port that serves routing alone, for clients of old routing servers (they expect 5000). Off.',
  }),
  'router.anonymous': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_ROUTER_ANONYMOUS',
    reason: 'Routing answers without a token, since its clients cannot send one.',
  }),
  'router.snapLimit': setting({
    schema: z.int().min(1).max(100_000_000),
    default: 5000,
    environment: 'WAYPOST_SNAP_LIMIT',
    reason: 'Metres: a place that is farther from every road is not on this map. The router port has no limit.',
  }),
  'closures.wideLimit': setting({
    schema: z.number().min(0).max(1_000_000),
    default: 20,
    environment: 'WAYPOST_CLOSURES_WIDE_LIMIT',
    reason:
      'Kilometres of road that a user without the right `closures-wide` may close: closures hold for every organisation.',
  }),
  'name': setting({
    schema: z.string().min(1).max(100),
    default: 'Waypost',
    flag: 'name',
    environment: 'WAYPOST_NAME',
    reason: 'What the station is called, for people.',
  }),
  'stationNumber': setting({
    schema: z.int().min(0).max(213),
    default: 0,
    environment: 'WAYPOST_STATION_NUMBER',
    reason: 'Number of the station among linked ones; ids made here begin with it. It holds from the first start on.',
  }),
  'links.discovery': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_LINKS_DISCOVERY',
    reason:
      'Stations on the local network find each other (multicast DNS) and are offered for pairing; none is joined unasked. Never when the station listens on its own machine alone.',
  }),
  'nats.servers': setting({
    schema: list,
    default: [],
    flag: 'nats-servers',
    environment: 'WAYPOST_NATS_SERVERS',
    reason:
      'Addresses of NATS servers with JetStream (nats://10.0.0.1:4222), any of which will do: the stations of a region replicate through them. None: stations have links to each other.',
  }),
  'nats.region': setting({
    schema: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must have small letters, digits and dashes only'),
    default: 'main',
    flag: 'nats-region',
    environment: 'WAYPOST_NATS_REGION',
    reason: 'Name of the region on these servers.',
  }),
  'nats.credentials': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    flag: 'nats-credentials',
    environment: 'WAYPOST_NATS_CREDENTIALS',
    reason: 'File with the credentials of this station at the servers (.creds). None: the servers let everybody in.',
  }),
  'nats.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_NATS_AUTHORITY',
    reason: 'PEM file of who signed the certificates of the servers. The well-known ones.',
  }),
  'nats.replicas': setting({
    schema: z.union([z.literal(1), z.literal(3), z.literal(5)]),
    default: 1,
    environment: 'WAYPOST_NATS_REPLICAS',
    reason: 'On how many servers each record is stored before it counts as stored: 3 or 5 in a cluster.',
  }),
  'nats.partitions': setting({
    schema: partitions,
    default: ALL_PARTITIONS,
    environment: 'WAYPOST_NATS_PARTITIONS',
    reason: `Of which vehicles this station keeps the positions that gateways of the region receive: numbers from 0 to ${PARTITIONS - 1}, the id of a vehicle modulo ${PARTITIONS}. All of them; off: of none.`,
  }),
  'adminPassword': setting({
    schema: z.string().min(1).max(500).nullable(),
    default: null,
    environment: 'WAYPOST_ADMIN_PASSWORD',
    reason: 'Password of `admin`, made on the first start. A random one is printed once when it is not given.',
  }),
  'demo': setting({
    schema: z.boolean(),
    default: false,
    flag: 'demo',
    plain: true,
    reason: 'Fills an empty station with the embedded demo town, vehicles and tasks, and drives the vehicles.',
  }),
  'demoSpeed': setting({
    schema: z.number().min(0).max(100),
    default: 1,
    environment: 'WAYPOST_DEMO_SPEED',
    reason: 'How many times faster than life the demo vehicles drive; 0: they stand still.',
  }),
  ...devicePortSettings(),
  'telemetry.futureLimit': setting({
    schema: z.int().min(0).max(86_400),
    default: 300,
    environment: 'WAYPOST_FUTURE_LIMIT',
    reason:
      'Seconds that the clock of a device may be ahead. Records of a clock further ahead are kept aside in the quarantine: believed, they would freeze their vehicle until then.',
  }),
  'telemetry.quarantineLimit': setting({
    schema: z.int().min(1).max(100_000),
    default: 1_000,
    environment: 'WAYPOST_QUARANTINE_LIMIT',
    reason:
      'Entries that the quarantine takes of one device from one address within an hour: more than a broken device sends, and too few to push out those of others.',
  }),
  'smtpUrl': setting({
    schema: z.url({ protocol: /^smtps?$/, message: 'must be an address such as smtp://mail.example:587' }).nullable(),
    default: null,
    environment: 'WAYPOST_SMTP_URL',
    reason: 'Mail server for notices. None: nothing is sent, and the queue says why.',
  }),
  'mailFrom': setting({
    schema: z.string().min(3).max(320),
    default: 'Waypost <waypost@localhost>',
    environment: 'WAYPOST_MAIL_FROM',
    reason: 'Sender of notices. Most mail servers take only addresses that they know.',
  }),
  'mailDays': setting({
    schema: z.int().min(1).max(3650),
    default: 90,
    environment: 'WAYPOST_MAIL_DAYS',
    reason:
      'Days that mail is kept after it was sent or given up, and letters after they were printed: long enough to look up who was told what.',
  }),
  'uploadLimit': setting({
    schema: z.int().min(1).max(100_000),
    default: 200,
    environment: 'WAYPOST_UPLOAD_LIMIT',
    reason: 'Largest file that is taken in, in megabytes: some minutes of video from a phone.',
  }),
  'uploadQuota': setting({
    schema: z.int().min(1).max(1_000_000),
    default: 1000,
    environment: 'WAYPOST_UPLOAD_QUOTA',
    reason:
      'Megabytes of one user’s uploads that no record names yet; they are cleared after a day. A largest file always has room.',
  }),
  'ffmpeg': setting({
    schema: z.string().min(1).max(4096),
    default: 'ffmpeg',
    environment: 'WAYPOST_FFMPEG',
    reason:
      'The program that converts video and sound, found on the PATH. Where there is none, what was sent is kept and served as it is; `off` looks for none.',
  }),
  'logFormat': setting({
    schema: z.enum(['off', 'text', 'json']),
    default: 'off',
    environment: 'WAYPOST_LOG_FORMAT',
    reason: 'How the log is also written to standard output, for a journal or a collector. It is always kept in files.',
  }),
  'password.least': setting({
    schema: z.int().min(8).max(64),
    default: 8,
    environment: 'WAYPOST_PASSWORD_LEAST',
    reason: 'Characters that a new password has at least. Passwords known from published breaches are refused.',
  }),
  'signIn.secondFactor': setting({
    schema: z.enum(['none', 'administrators', 'everybody']),
    default: 'none',
    environment: 'WAYPOST_SIGN_IN_SECOND_FACTOR',
    reason:
      'Who must have a second factor. Whoever has none sets one up at the next sign-in, before anything else opens. A provider asks for its own.',
  }),
  'signIn.groups': setting({
    schema: groupGrants,
    default: [],
    environment: 'WAYPOST_SIGN_IN_GROUPS',
    reason:
      'Which groups of the provider or directory have which right here: `[{"group": "dispatchers", "role": "Dispatcher", "organization": "Control room"}]`, the first that fits; who is in none stays out. None: everybody gets the right that allows the least.',
  }),
  'signIn.create': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_SIGN_IN_CREATE',
    reason: 'The first sign-in by the provider or directory makes the user.',
  }),
  'signIn.link': setting({
    schema: z.enum(['none', 'login', 'email']),
    default: 'none',
    environment: 'WAYPOST_SIGN_IN_LINK',
    reason:
      'By what that first sign-in finds a user who is here already: `login`, `email` (a verified one), or `none`. Never one who sees every organisation.',
  }),
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
      'Issuer of an OpenID Connect provider, where people of the organisation sign in. Register https://STATION/auth/oidc/callback there. None.',
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
    reason: 'What the button of the sign-in page calls the provider: the organisation.',
  }),
  'oidc.scopes': setting({
    schema: z.string().min(1).max(4096),
    default: 'openid profile email',
    environment: 'WAYPOST_OIDC_SCOPES',
    reason: 'Scopes to ask for. Some providers tell groups only with a scope of their own.',
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
  'oidc.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_OIDC_AUTHORITY',
    reason: 'PEM file of the authority that signed the certificate of the provider. The well-known ones.',
  }),
  'ldap.address': setting({
    schema: z.url({ protocol: /^ldaps?$/, message: 'must be an address such as ldaps://directory.example' }).nullable(),
    default: null,
    environment: 'WAYPOST_LDAP_ADDRESS',
    reason: 'LDAP or Active Directory that checks the passwords of those who have none at this station. None.',
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
      'PEM file of the authority that signed the certificate of the directory, or of that certificate. The well-known ones.',
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
    reason: 'Where people are: ou=people,dc=example,dc=org.',
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
    reason: 'Where groups are. Where people are.',
  }),
  'lock.minutes': setting({
    schema: z.int().min(1).max(1440).nullable(),
    default: null,
    environment: 'WAYPOST_LOCK_MINUTES',
    reason:
      'Minutes without input after which a console locks its screen, for shared desks. It keeps what was typed, and alarms sound. Never.',
  }),
  'audit.days': setting({
    schema: z.int().min(30).max(36_500).nullable(),
    default: 1_095,
    environment: 'WAYPOST_AUDIT_DAYS',
    reason:
      'Days that the audit trail keeps its entries; `off` keeps them for ever. The chain of hashes stays verifiable.',
  }),
  'audit.syslog': setting({
    schema: z
      .url({ protocol: /^(udp|tcp|tls)$/, message: 'must be an address such as tls://logs.example:6514' })
      .nullable(),
    default: null,
    environment: 'WAYPOST_AUDIT_SYSLOG',
    reason:
      'Syslog receiver of the audit trail (RFC 5424): udp://HOST:514, tcp://HOST:601 with octet counting, or tls://HOST:6514. None.',
  }),
  'audit.syslogAuthority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_AUDIT_SYSLOG_AUTHORITY',
    reason: 'PEM file of the authority that signed the certificate of the syslog receiver. The well-known ones.',
  }),
  'updates.address': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_UPDATES_ADDRESS',
    reason:
      'Where `waypost-update.json` lies: a web address, or the path of the file, for example on a share. The station looks there once a day whether a newer version exists. None: nothing is asked.',
  }),
  'updates.key': setting({
    schema: z.string().min(1).max(500).nullable(),
    default: null,
    environment: 'WAYPOST_UPDATES_KEY',
    reason: 'Public key (Ed25519, SPKI as base64) by which that description must be signed.',
  }),
  'backup.time': setting({
    schema: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:00')
      .nullable(),
    default: '03:00',
    environment: 'WAYPOST_BACKUP_TIME',
    reason:
      'When a backup is made by itself each night, by the clock of the station; a missed one is made after the next start. `off`: never. The demo makes none.',
  }),
  'backup.folder': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_BACKUP_FOLDER',
    reason:
      'Folder of the backups. In the data directory (`backups`) by default: it is always there, and it shares files with the station instead of copying them.',
  }),
  'backup.second': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_BACKUP_SECOND',
    reason:
      'A second folder, on another disk or machine, to which each backup is copied. None, until you name one: a disk that fails takes the first place with it.',
  }),
  'backup.passphrase': setting({
    schema: z.string().min(12, 'must have 12 characters at least').max(500).nullable(),
    default: null,
    environment: 'WAYPOST_BACKUP_PASSPHRASE',
    reason:
      'Encrypts backups (as age files). Keep a copy of it away from the station: nobody can restore a backup without it. None: whoever can read the folder can read the backups.',
  }),
  'backup.territory': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_BACKUP_TERRITORY',
    reason: 'Backups hold roads, places and tiles, too: a restored station routes at once. They are stored once.',
  }),
  'logLevel': setting({
    schema: z.enum(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR']),
    default: 'INFO',
    environment: 'WAYPOST_LOG_LEVEL',
    reason: 'Less important entries are not logged.',
  }),
} as const;

type SettingName = keyof typeof SETTINGS;
type Values = { [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** All settings of one station, checked. */
export interface StationConfig extends Readonly<Values> {
  /** The console's built pages; missing in a checkout that was not built. */
  readonly pages?: string;
}

/**
 * Reads the settings from the words of the command line, the environment and `station.json`. Throws
 * InvalidSetting.
 */
export function readConfig(words: readonly string[], environment: NodeJS.ProcessEnv): StationConfig {
  const flags = readFlags(words);
  const data = resolve(String(flags['data'] ?? environment['WAYPOST_DATA'] ?? SETTINGS.data.default));
  const file = readFile(join(data, 'station.json'));
  const followed = readFollowedSettings(data);
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries<Setting<z.ZodType>>(SETTINGS)) {
    const { flag, environment: variable, schema } = definition;
    const fromVariable = variable ? environment[variable] : undefined;
    if (flag !== undefined && flags[flag] !== undefined)
      values[name] = check(
        `--${flag}`,
        schema,
        typeof flags[flag] === 'string' ? fromText(flags[flag], schema) : flags[flag],
      );
    else if (variable !== undefined && fromVariable !== undefined && fromVariable !== '')
      values[name] = check(variable, schema, fromText(fromVariable, schema));
    else if (Object.hasOwn(file, name)) values[name] = check(`${name} in station.json`, schema, file[name]);
    else values[name] = Object.hasOwn(followed, name) ? followed[name] : definition.default;
  }
  if ((values['tls.certificate'] === null) !== (values['tls.key'] === null))
    throw new InvalidSetting('tls.certificate and tls.key are set together, or neither.');
  if (values['acme.name'] !== null && values['tls.certificate'] !== null)
    throw new InvalidSetting('acme.name has a certificate made: set it or tls.certificate, not both.');
  return { ...(values as Values), data };
}

/**
 * Settings that a standby takes over from the station that it follows. Its own come first. Never names, addresses,
 * keys or what holds a password (`smtpUrl`).
 */
const FOLLOWED_SETTINGS: readonly string[] = [
  'router.anonymous',
  'router.snapLimit',
  'closures.wideLimit',
  'telemetry.futureLimit',
  'telemetry.quarantineLimit',
  'mailFrom',
  'mailDays',
  'uploadLimit',
  'uploadQuota',
  'http.costPerMinute',
  'signIn.secondFactor',
  ...DECODERS.map(({ name }) => `${name}Port`),
];
const FOLLOWED_FILE = 'followed.json';

/** The settings of this station that its standby stations take over. */
export function followedSettingsOf(config: StationConfig): Record<string, unknown> {
  return Object.fromEntries(FOLLOWED_SETTINGS.map((name) => [name, config[name as keyof Values]]));
}

/** What a standby has taken over. Nothing, where the file is missing or damaged. */
export function readFollowedSettings(data: string): Record<string, unknown> {
  try {
    return soundFollowedSettings(JSON.parse(readFileSync(join(data, FOLLOWED_FILE), 'utf8')) as object);
  } catch {
    return {};
  }
}

/** Stores what the station that this one follows sent. Returns the names of settings that have changed. */
export function writeFollowedSettings(data: string, sent: object): string[] {
  const before = readFollowedSettings(data);
  const settings = soundFollowedSettings(sent);
  const changed = Object.keys(settings).filter((name) => before[name] !== settings[name]);
  if (changed.length === 0) return [];
  const path = join(data, FOLLOWED_FILE);
  writeFileSync(`${path}.part`, `${JSON.stringify(settings, null, 2)}\n`, { flush: true });
  renameSync(`${path}.part`, path);
  return changed;
}

function soundFollowedSettings(sent: object): Record<string, unknown> {
  return Object.fromEntries(
    FOLLOWED_SETTINGS.flatMap((name) => {
      if (!Object.hasOwn(sent, name)) return [];
      const { data, success } = SETTINGS[name as SettingName].schema.safeParse((sent as Record<string, unknown>)[name]);
      return success ? [[name, data]] : [];
    }),
  );
}

/** The text of `--help` about settings. */
export function describeSettings(): string {
  return Object.entries<Setting<z.ZodType>>(SETTINGS)
    .map(([name, { flag, environment, reason, plain, default: byDefault }]) => {
      const names = [
        flag && `--${flag}${plain ? '' : ` ${name.toUpperCase().replace(/[^A-Z]/g, '')}`}`,
        environment,
        `station.json: ${name}`,
      ]
        .filter(Boolean)
        .join(', ');
      const given =
        byDefault === null || byDefault === false || String(byDefault) === '' ? '' : ` [${String(byDefault)}]`;
      return `  ${names}\n      ${reason}${given}`;
    })
    .join('\n');
}

function readFlags(words: readonly string[]): Record<string, string | boolean | undefined> {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const { flag, plain } of Object.values<Setting<z.ZodType>>(SETTINGS))
    if (flag) options[flag] = { type: plain ? 'boolean' : 'string' };
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values as Record<
      string,
      string | boolean | undefined
    >;
  } catch (error) {
    throw new InvalidSetting(`${(error as Error).message.split('. ')[0]}. See --help.`);
  }
}

function readFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return {};
    throw new InvalidSetting(`${path} cannot be read: ${(error as Error).message}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidSetting(`${path} is not valid JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidSetting(`${path} must hold one JSON object.`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined) throw new InvalidSetting(`${path} names a setting that does not exist: ${unknown}.`);
  return value as Record<string, unknown>;
}

/** Flags and variables are text; the schema decides which type they become. */
function fromText(text: string, schema: z.ZodType): unknown {
  if (text === 'off' && schema.safeParse(null).success) return null;
  if (schema.safeParse(text).success) return text;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return text;
}

function check(name: string, schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (error) throw new InvalidSetting(`${name} is ${JSON.stringify(value)}: ${error.issues[0]!.message}.`);
  return data;
}

/** The ports that are set for devices, by protocol. */
export function devicePorts(config: StationConfig): Record<DecoderName, number | null> {
  // A station that was promoted since its start has those of the one that it replaces.
  const followed = readFollowedSettings(config.data) as Record<string, number | null | undefined>;
  return Object.fromEntries(
    DECODERS.map(({ name }) => [name, config[`${name}Port`] ?? followed[`${name}Port`] ?? null]),
  ) as Record<DecoderName, number | null>;
}
