import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** SHA-256, as browsers and linked stations show it. */
export function fingerprintOf({ cert }: Certificate): string {
  return new X509Certificate(cert).fingerprint256;
}

/** ms before its end at which a certificate is replaced. */
const RENEWAL = 30 * 24 * 3_600_000;

/**
 * The station's own certificate. Makes a new one if none is complete. A certificate that ends soon is
 * replaced by one with the same key, so that linked stations and consoles that remember the key continue.
 */
export async function ownCertificate(directory: string, names: readonly string[], now: number): Promise<Certificate> {
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const kept = keptCertificate(keyFile, certFile);
  if (kept && Date.parse(new X509Certificate(kept.cert).validTo) > now + RENEWAL) return kept;
  // Loading the ASN.1 library takes some 50 ms, which a start with a kept certificate does not need.
  const { makeCertificate } = await import('./make-certificate.ts');
  const made = makeCertificate(names, now, kept?.key);
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
 * Undefined if a file is missing or incomplete, or if the two do not match: the station may have ended
 * between the two renames.
 */
function keptCertificate(keyFile: string, certFile: string): Certificate | undefined {
  try {
    const kept = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
    return isKeyOfCertificate(kept) ? kept : undefined;
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Whether the key belongs to the certificate. */
export function isKeyOfCertificate({ key, cert }: Certificate): boolean {
  return new X509Certificate(cert).publicKey.equals(createPublicKey(createPrivateKey(key)));
}
