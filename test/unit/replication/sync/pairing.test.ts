import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../server/replication/sync/links/link-table.ts';
import {
  Codes,
  isProof,
  makeCode,
  pairingKey,
  proofOf,
  readCode,
  type Transcript,
} from '../../../../server/replication/sync/links/pairing/pairing.ts';

const transcript: Transcript = {
  dialler: {
    id: 'a',
    number: 1,
    name: 'A',
    publicKey: 'KA',
    fingerprint: 'FA',
    nonce: 'NA',
    address: 'https://10.0.0.1:8443',
  },
  listener: { id: 'b', number: 2, name: 'B', publicKey: 'KB', fingerprint: 'FB', nonce: 'NB' },
  seen: 'FB',
  settings: DEFAULT_SETTINGS,
};

test('[sync 1] the proof of one station holds for the same transcript, code and role only', async () => {
  const key = await pairingKey('K7QM4TRP', 'NA', 'NB');
  const proof = proofOf(key, 'dialler', transcript);
  expect(isProof(key, 'dialler', transcript, proof)).toBe(true);
  expect(isProof(key, 'listener', transcript, proof)).toBe(false);
  expect(isProof(await pairingKey('K7QM4TRQ', 'NA', 'NB'), 'dialler', transcript, proof)).toBe(false);
  expect(isProof(await pairingKey('K7QM4TRP', 'NA', 'NX'), 'dialler', transcript, proof)).toBe(false);
  for (const side of ['dialler', 'listener'] as const)
    for (const [field, value] of Object.entries(transcript[side])) {
      const other = typeof value === 'number' ? value + 1 : `${String(value)}x`;
      const changed = { ...transcript, [side]: { ...transcript[side], [field]: other } };
      expect(isProof(key, 'dialler', changed, proof), `${side} ${field}`).toBe(false);
    }
  expect(isProof(key, 'dialler', { ...transcript, seen: 'FX' }, proof)).toBe(false);
  const limits = [{ paused: true }, { readOnly: true }, { organizations: [1] }, { tracks: 'all' as const }];
  for (const limit of limits) {
    const changed = { ...transcript, settings: { ...DEFAULT_SETTINGS, ...limit } };
    expect(isProof(key, 'dialler', changed, proof), JSON.stringify(limit)).toBe(false);
  }
});

test('[sync 2] a code is read as people type it: any case, O for 0, I and L for 1, with spaces or dashes', () => {
  expect(readCode('k7qm-4trp')).toBe('K7QM4TRP');
  expect(readCode(' K7 QM 4T-RP ')).toBe('K7QM4TRP');
  expect(readCode('O1IL-oil0')).toBe('01110110');
  for (const wrong of ['', 'K7QM', 'K7QM-4TRPX', 'K7QM-4TR!', 'U7QM-4TRP']) expect(readCode(wrong)).toBeUndefined();
  fc.assert(
    fc.property(fc.constant(0), () => {
      const code = makeCode();
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(readCode(code)).toBe(code.replace('-', ''));
    }),
  );
});

test('[sync 2] a code is open for five minutes, for three tries, and once', () => {
  let now = 1_000;
  const codes = new Codes(() => now);
  const code = codes.make(DEFAULT_SETTINGS);
  expect(code.expiresAt).toBe(301_000);
  now = 300_999;
  expect(codes.open().map((one) => one.code)).toEqual([code.code]);
  now = 301_000;
  expect(codes.open()).toEqual([]);

  codes.make(DEFAULT_SETTINGS);
  codes.failed();
  codes.failed();
  expect(codes.open()).toHaveLength(1);
  codes.failed();
  expect(codes.open()).toHaveLength(0);

  codes.make(DEFAULT_SETTINGS);
  codes.used(codes.open()[0]!);
  expect(codes.open()).toHaveLength(0);

  const made = Array.from({ length: 6 }, () => codes.make(DEFAULT_SETTINGS).code);
  expect(codes.open().map((one) => one.code)).toEqual(made.slice(1));
});
