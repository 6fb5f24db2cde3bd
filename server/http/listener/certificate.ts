import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY = 24 * 3_600_000;
/** Linked stations and people's browsers remember this certificate, so it should outlive the machine. */
const LIFETIME = 10 * 365 * DAY;

/**
 * The certificate that the station made for itself; made now when there is none that is whole, or when it
 * ends soon.
 */
export function ownCertificate(directory: string, names: readonly string[], now: number): Certificate {
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const kept = keptCertificate(keyFile, certFile);
  if (kept && Date.parse(new X509Certificate(kept.cert).validTo) > now + 30 * DAY) return kept;
  const made = makeCertificate(names, now);
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of [
    [keyFile, made.key],
    [certFile, made.cert],
  ] as const) {
    writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return made;
}

/**
 * Undefined when the two files are not there, not whole or not a pair, as after an end between the one and
 * the other: no client could be answered with them.
 */
function keptCertificate(keyFile: string, certFile: string): Certificate | undefined {
  try {
    const kept = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
    return belongTogether(kept) ? kept : undefined;
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && code !== 'ENOENT') throw error;
    return undefined;
  }
}

/**
 * A self-signed certificate (X.509 v3, RFC 5280) for these host names and addresses, with a new P-256 key.
 * Written by hand, since Node reads certificates and does not make them; it is one fixed structure.
 */
export function makeCertificate(names: readonly string[], now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8('Waypost station'))));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40; // positive, and of full length
  const extensions = sequence(
    extension('2.5.29.17', sequence(...names.map(alternativeName))), // who it is for
    extension('2.5.29.19', sequence(), true), // no authority over others
    extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true), // signs, and nothing else
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))), // as a TLS server
  );
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - DAY), time(now + LIFETIME)), // clocks of other machines may be behind
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey)));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) };
}

/** Does the key belong to the certificate? */
export function belongTogether({ key, cert }: Certificate): boolean {
  return new X509Certificate(cert).publicKey.equals(createPublicKey(createPrivateKey(key)));
}

function pem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`;
}

/** DER (X.690): a tag, a length, the content. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}

/** `unused` bits at the end do not count. */
function bits(bytes: Buffer, unused = 0): Buffer {
  return tagged(0x03, Buffer.from([unused]), bytes);
}

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const septets = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80);
    return septets;
  });
  return tagged(0x06, Buffer.from([first! * 40 + second!, ...bytes]));
}

/** Two-digit years until 2049, then four, as RFC 5280 has it. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\.\d+|[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [tagged(0x01, Buffer.from([0xff]))] : []), tagged(0x04, value));
}

function alternativeName(name: string): Buffer {
  switch (isIP(name)) {
    case 4:
      return tagged(0x87, Buffer.from(name.split('.').map(Number)));
    case 6:
      return tagged(0x87, ipv6(name));
    default:
      return tagged(0x82, Buffer.from(name, 'latin1'));
  }
}

function ipv6(address: string): Buffer {
  // The URL parser writes every form out the same way; what `::` stands for is filled in.
  const [head, tail] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head!.length - (tail?.length ?? 0)).fill('0');
  return Buffer.from(
    [...head!, ...zeros, ...(tail ?? [])].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]),
  );
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
