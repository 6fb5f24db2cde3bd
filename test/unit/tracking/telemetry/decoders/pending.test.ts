import { expect, test } from 'vitest';
import { Pending } from '../../../../../server/tracking/telemetry/decoders/decoder.ts';
import { SEED, numbers } from '../../../../support/chance.ts';

test(`lines are the same in whatever pieces they come, and what was handed out stays as it was (WAYPOST_SEED=${SEED})`, () => {
  const random = numbers(SEED);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 400) }, () => 'ab\r\n'[Math.floor(random() * 4)]).join(
      '',
    );
    const whole = Buffer.from(text);
    const pending = new Pending();
    const lines: Buffer[] = [];
    for (let at = 0; at < whole.length;) {
      const length = 1 + Math.floor(random() ** 3 * 60);
      // Bytes as a socket gives them: each time others.
      pending.add(Buffer.from(whole.subarray(at, at + length)));
      at += length;
      for (let line = pending.takeLine(); line; line = pending.takeLine()) lines.push(line);
    }
    const expected = text.split('\r\n');
    const rest = expected.pop()!;
    expect(lines.map(String)).toEqual(expected);
    expect([pending.bytes.toString(), pending.length]).toEqual([rest, rest.length]);
  }
});

test('taken by length and by line in turn', () => {
  const pending = new Pending();
  pending.add(Buffer.from('one'));
  expect(pending.takeLine()).toBeUndefined();
  pending.add(Buffer.from('\r'));
  expect(pending.takeLine()).toBeUndefined();
  pending.add(Buffer.from('\nxy\r\nrest'));
  expect(String(pending.takeLine())).toBe('one');
  expect(String(pending.take(2))).toBe('xy');
  expect(String(pending.takeLine())).toBe('');
  expect(String(pending.take(100))).toBe('rest');
  expect([pending.length, pending.takeLine()]).toEqual([0, undefined]);
});
