import { z } from 'zod';
import { setting } from '../setting.ts';

/** Log, audit trail, updates and backups. */
export const MAINTENANCE_SETTINGS = {
  'logFormat': setting({
    schema: z.enum(['off', 'text', 'json']),
    default: 'off',
    environment: 'WAYPOST_LOG_FORMAT',
    reason: 'How the log is also written to standard output, for a journal or a collector. It is always kept in files.',
  }),
  'audit.days': setting({
    schema: z.int().min(30).max(36_500).nullable(),
    default: 1_095,
    environment: 'WAYPOST_AUDIT_DAYS',
    reason:
      'Days that the audit trail keeps its entries; `off` keeps them forever. The chain of hashes stays verifiable.',
  }),
  'audit.syslog': setting({
    schema: z
      .url({ protocol: /^(udp|tcp|tls)$/, message: 'must be an address such as tls://logs.example:6514' })
      .nullable(),
    default: null,
    environment: 'WAYPOST_AUDIT_SYSLOG',
    reason:
      'Syslog receiver of the audit trail (RFC 5424): udp://HOST:514, tcp://HOST:601 with octet counting, or tls://HOST:6514. Default: none.',
  }),
  'audit.syslogAuthority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_AUDIT_SYSLOG_AUTHORITY',
    reason:
      'PEM file of the authority that signed the certificate of the syslog receiver. Default: the well-known authorities.',
  }),
  'updates.address': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_UPDATES_ADDRESS',
    reason:
      'Where `waypost-update.json` lies: a web address, or the path of the file, for example on a share. The station checks it once a day for a newer version. If not set: it does not check.',
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
      'When the nightly backup is made, by the clock of the station. A missed one is made after the next start. `off`: never. The demo makes none.',
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
      'A second folder, on another disk or machine, to which each backup is copied. Default: none. If the disk of the first folder fails, its backups are lost.',
  }),
  'backup.passphrase': setting({
    schema: z.string().min(12, 'must have 12 characters at least').max(500).nullable(),
    default: null,
    environment: 'WAYPOST_BACKUP_PASSPHRASE',
    reason:
      'Encrypts backups (as age files). Keep a copy of it away from the station: nobody can restore a backup without it. If not set: anybody who can read the folder can read the backups.',
  }),
  'backup.territory': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_BACKUP_TERRITORY',
    reason: 'Backups include roads, places and tiles, so a restored station can route at once. They are stored once.',
  }),
  'logLevel': setting({
    schema: z.enum(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR']),
    default: 'INFO',
    environment: 'WAYPOST_LOG_LEVEL',
    reason: 'Less important entries are not logged.',
  }),
} as const;
