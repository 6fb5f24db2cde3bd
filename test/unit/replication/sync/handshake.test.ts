import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  Challenges,
  isSignedBy,
  makeKeys,
  signDial,
  type Dial,
} from '../../../../server/replication/sync/links/connection/handshake.ts';
import { sentenceOf } from '../../../../shared/refusals/reason.ts';
import { whyRefused } from '../../../../server/replication/sync/links/connection/hello.ts';
import { whichStays } from '../../../../server/replication/sync/links/dialling/which-connection.ts';
import { RefusedDials } from '../../../../server/replication/sync/links/dialling/refused-dials.ts';

const keys = makeKeys();
const text = fc.string({ minLength: 1, maxLength: 40 });
const dial: fc.Arbitrary<Dial> = fc.record({
  from: text,
  to: text,
  challenge: text,
  nonce: text,
  certificate: fc.string({ maxLength: 40 }),
});

test('[sync 14] a signature holds for exactly what was signed, by its key and in its role', () => {
  fc.assert(
    fc.property(dial, dial, (shown, other) => {
      const signature = signDial(keys, 'dialler', shown);
      expect(isSignedBy(keys.publicKey, 'dialler', shown, signature)).toBe(true);
      expect(isSignedBy(keys.publicKey, 'listener', shown, signature)).toBe(false);
      for (const field of ['from', 'to', 'challenge', 'nonce', 'certificate'] as const) {
        const changed = { ...shown, [field]: other[field] };
        expect(isSignedBy(keys.publicKey, 'dialler', changed, signature)).toBe(changed[field] === shown[field]);
      }
    }),
    { numRuns: 50 },
  );
  const shown = { from: 'a', to: 'b', challenge: 'c', nonce: 'd', certificate: '' };
  expect(isSignedBy(makeKeys().publicKey, 'dialler', shown, signDial(keys, 'dialler', shown))).toBe(false);
  expect(isSignedBy('no key', 'dialler', shown, 'no signature')).toBe(false);
});

test('[sync 14] a challenge is good once, and for 30 seconds', () => {
  let now = 0;
  const challenges = new Challenges(() => now);
  const [first, second, third] = [challenges.give(), challenges.give(), challenges.give()];
  expect(challenges.use(first)).toBe(true);
  expect(challenges.use(first)).toBe(false);
  expect(challenges.use('made up')).toBe(false);
  now = 29_999;
  expect(challenges.use(second)).toBe(true);
  now = 30_000;
  expect(challenges.use(third)).toBe(false);
});

test('[sync 14] at most a thousand challenges wait: the oldest give way', () => {
  const challenges = new Challenges(() => 0);
  const given = Array.from({ length: 1_001 }, () => challenges.give());
  expect(challenges.use(given[0]!)).toBe(false);
  expect(challenges.use(given[1]!)).toBe(true);
  expect(challenges.use(given.at(-1)!)).toBe(true);
});

const station = { protocol: 1, version: '1.2.0', schema: { tasks: 3, events: 1 }, number: 1, name: 'A', clock: 0 };
const other = { ...station, number: 2, name: 'B', version: '1.3.0' };

test('[sync 20] stations with other records are refused in words that name both versions and who is older', () => {
  expect(whyRefused(station, other)).toBeUndefined();
  const newer = { ...other, schema: { tasks: 4, events: 1 } };
  const words =
    'B has Waypost 1.3.0, and A has Waypost 1.2.0, which does not know its records. Update A. Nothing is lost meanwhile.';
  expect(sentenceOf(whyRefused(station, newer)!)).toBe(words);
  expect(sentenceOf(whyRefused(newer, station)!)).toBe(words);
  expect(sentenceOf(whyRefused(station, { ...other, schema: { ...station.schema, merges: 0 } })!)).toContain(
    'Update A.',
  );
  expect(sentenceOf(whyRefused(station, { ...other, protocol: 2 })!)).toContain('Update A.');
  expect(sentenceOf(whyRefused({ ...station, protocol: 2 }, other)!)).toContain('Update B.');
});

test('[sync 13] clocks may be five minutes apart, in either direction, and not more', () => {
  for (const sign of [1, -1]) {
    expect(whyRefused(station, { ...other, clock: sign * 300_000 })).toBeUndefined();
    expect(sentenceOf(whyRefused(station, { ...other, clock: sign * 300_001 })!)).toContain(
      'The clocks differ by 5 min',
    );
  }
  expect(sentenceOf(whyRefused(station, { ...other, number: 1 })!)).toBe('A and B have the same station number, 1.');
});

test('[sync 14] refused connections are all counted, and logged at most once a minute', () => {
  let now = 0;
  const log: string[] = [];
  const refused = new RefusedDials(
    (message) => log.push(message),
    () => now,
  );
  for (now = 0; now < 60_000; now += 10_000) refused.add('10.0.0.7', 'its signature is not valid');
  expect(log).toEqual(['A connection from 10.0.0.7 as a linked station was refused: its signature is not valid.']);
  refused.add('10.0.0.8', 'its station is not linked');
  expect(log[1]).toBe(
    'A connection from 10.0.0.8 as a linked station was refused: its station is not linked. It was the last of 6 since the entry before.',
  );
  expect(refused.count).toBe(7);
});

test('[sync 8] of two connections dialled at once both stations keep the one that the lower number dialled', () => {
  const [lower, higher] = [
    { ours: 1, theirs: 2 },
    { ours: 2, theirs: 1 },
  ];
  const [us, them] = [{ dialledBy: 'us' }, { dialledBy: 'them' }] as const;
  const young = (by: typeof us | typeof them) => ({ ...by, age: 4_999 });
  expect(whichStays(young(us), them, lower)).toBe('older');
  expect(whichStays(young(them), us, lower)).toBe('newer');
  // The same two connections, as the other station sees them.
  expect(whichStays(young(them), us, higher)).toBe('older');
  expect(whichStays(young(us), them, higher)).toBe('newer');
});

test('[sync 8] a connection that comes later replaces the one before it: the other station has lost that', () => {
  const numbers = { ours: 1, theirs: 2 };
  expect(whichStays({ age: 5_000, dialledBy: 'us' }, { dialledBy: 'them' }, numbers)).toBe('newer');
  expect(whichStays({ age: 10, dialledBy: 'us' }, { dialledBy: 'us' }, numbers)).toBe('newer');
});
