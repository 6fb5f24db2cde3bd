/** A SHA-256 fingerprint as people see it: `AA:BB:…`, 32 pairs. Undefined: not a fingerprint. */
export function readFingerprint(text: string): string | undefined {
  const digits = text.replaceAll(/[\s:]/g, '').toUpperCase();
  return /^[0-9A-F]{64}$/.test(digits) ? digits.match(/../g)!.join(':') : undefined;
}

/** The same fingerprint as Chromium writes it: `sha256/` and base64. */
export function asChromiumWrites(fingerprint: string): string {
  return `sha256/${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64')}`;
}

/** Reads what Chromium writes. */
export function fromChromium(written: string): string | undefined {
  const [, base64] = /^sha256\/([A-Za-z0-9+/=]{43,44})$/.exec(written) ?? [];
  return base64 === undefined ? undefined : readFingerprint(Buffer.from(base64, 'base64').toString('hex'));
}
