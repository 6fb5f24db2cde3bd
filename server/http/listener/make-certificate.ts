import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate as X509,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_serverAuth,
} from '@peculiar/asn1-x509';
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Certificate } from './certificate.ts';

/** Object identifiers: X.520 and RFC 5758. */
const COMMON_NAME = '2.5.4.3';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

const DAY = 24 * 3_600_000;
/** ms. Linked stations and browsers remember the certificate, so it should outlive the machine. */
const LIFETIME = 10 * 365 * DAY;

/**
 * A self-signed certificate (X.509 v3, RFC 5280) for these host names and addresses, with a new P-256 key or the given
 * one (PEM).
 */
export function makeCertificate(names: readonly string[], now: number, key?: string): Certificate {
  const { privateKey, publicKey } =
    key === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : pairOf(createPrivateKey(key));
  const subject = commonName('Waypost station');
  const signature = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: newSerialNumber(),
    signature,
    issuer: subject,
    // Clocks of other machines may be behind.
    validity: new Validity({ notBefore: new Date(now - DAY), notAfter: new Date(now + LIFETIME) }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternativeName))),
      extension(id_ce_basicConstraints, new BasicConstraints(), 'critical'), // not an authority
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), 'critical'),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
    ]),
  });
  const certificate = new X509({
    tbsCertificate: body,
    signatureAlgorithm: signature,
    signatureValue: arrayBuffer(sign('sha256', derOf(body), privateKey)),
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(derOf(certificate)) };
}

function pairOf(privateKey: KeyObject): { privateKey: KeyObject; publicKey: KeyObject } {
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

function commonName(text: string): Name {
  const value = new AttributeValue({ utf8String: text });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

/** 16 random bytes: positive, and without leading zeros. */
function newSerialNumber(): ArrayBuffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  return arrayBuffer(serial);
}

function extension(extnID: string, value: object, critical?: 'critical'): Extension {
  return new Extension({
    extnID,
    critical: critical === 'critical',
    extnValue: new OctetString(AsnConvert.serialize(value)),
  });
}

function alternativeName(name: string): GeneralName {
  switch (isIP(name)) {
    case 4:
      return new GeneralName({ iPAddress: name });
    case 6:
      // The URL parser writes an IPv4 tail in hexadecimal, which the library needs.
      return new GeneralName({ iPAddress: new URL(`http://[${name}]`).hostname.slice(1, -1) });
    default:
      return new GeneralName({ dNSName: name });
  }
}

function derOf(structure: object): Buffer {
  return Buffer.from(AsnConvert.serialize(structure));
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function pem(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`;
}
