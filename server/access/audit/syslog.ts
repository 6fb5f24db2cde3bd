import type { HashedEntry } from './audit.ts';

/** Where entries are sent: `udp://HOST:PORT`, `tcp://…` or `tls://…`. */
export interface SyslogTarget {
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly host: string;
  readonly port: number;
}

/** Ports by convention: RFC 5426, RFC 6587, RFC 5425. */
const PORTS = { udp: 514, tcp: 601, tls: 6514 } as const;
/** Facility 13, log audit. */
const FACILITY = 13;
const WARNING = 4;
const NOTICE = 5;
/** Longest text of one structured value; receivers need not take messages of more than 2,048 bytes. */
const LONGEST = 1_000;

/** Throws when the address is not one. */
export function syslogTarget(address: string): SyslogTarget {
  const url = new URL(address);
  const transport = url.protocol.slice(0, -1);
  if (transport !== 'udp' && transport !== 'tcp' && transport !== 'tls') throw new Error('The transport is unknown.');
  // Node's URL knows no port of these schemes, so that it keeps what is written.
  return { transport, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || PORTS[transport] };
}

/** The message of RFC 5424 for one entry. What it was about is structured data; the text repeats it for people. */
export function syslogMessage(entry: HashedEntry, host: string, processId: number): string {
  const isAlarming = entry.action === 'failed' || entry.action === 'locked' || entry.action === 'replaced';
  const priority = FACILITY * 8 + (isAlarming ? WARNING : NOTICE);
  const data: [string, string | number | null][] = [
    ['id', entry.id],
    ['kind', entry.kind],
    ['action', entry.action],
    ['way', entry.way],
    ['user', entry.userId],
    ['login', entry.login],
    ['key', entry.keyId],
    ['address', entry.address],
    ['subject', entry.subject],
    ['subjectId', entry.subjectId],
    ['details', JSON.stringify(entry.details)],
    ['hash', entry.hash],
  ];
  const told = data.filter(([, value]) => value !== null && value !== '' && value !== '{}');
  const structured = told.map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join('');
  const who = entry.login || (entry.way === 'interface' ? 'nobody' : entry.way);
  const text = `${who}: ${entry.kind} ${entry.action}${entry.subject && ` ${entry.subject}`}`.replace(/\p{Cc}/gu, ' ');
  const time = new Date(entry.time).toISOString();
  // 32473 is the enterprise number for examples; ours is not registered. The text begins with the BOM of UTF-8.
  return `<${priority}>1 ${time} ${hostName(host)} waypost ${processId} ${entry.kind} [waypost@32473${structured}] \uFEFF${text}`;
}

/** A frame of RFC 6587: octet counting, so that no character can end a message early. */
export function octetCounted(message: string): Buffer {
  const bytes = Buffer.from(message);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

function escaped(value: string): string {
  const short = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  return short.replace(/[\\"\]]/g, '\\$&').replace(/\p{Cc}/gu, ' ');
}

function hostName(host: string): string {
  return host.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
}
