import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AmiReader, writeAction, type AmiMessage } from '../../../../server/exchange/telephony/ami-wire.ts';

const GREETING = 'Asterisk Call Manager/11.0.0\r\n';
const fieldsOf = (message: AmiMessage) => Object.fromEntries(message);
function readAll(bytes: Buffer, cuts: readonly number[] = []) {
  const reader = new AmiReader();
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).flatMap((end, index) => [...reader.read(bytes.subarray(edges[index], end))].map(fieldsOf));
}

test('messages are the same wherever the stream is cut, and what is written is read', () => {
  const name = fc.stringMatching(/^[a-z]{1,12}$/);
  const value = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n\0]/g, '').trim());
  const message = fc.dictionary(name, value, { minKeys: 1, maxKeys: 8, noNullPrototype: true });
  const property = fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat()), (messages, cuts) => {
    const bytes = Buffer.concat([Buffer.from(GREETING), ...messages.map((one) => writeAction(one))]);
    expect(readAll(bytes, cuts)).toEqual(messages);
  });
  fc.assert(property);
});

test('no value begins a second field or a second action', () => {
  const property = fc.property(
    fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\0', ':', ' ', 'Action', 'é', '🚒') }),
    (value) => {
      const text = writeAction({ Action: 'Originate', Exten: value }).toString();
      expect(text.match(/\n/g)).toHaveLength(3);
      expect(text.endsWith('\r\n\r\n')).toBe(true);
    },
  );
  fc.assert(property);
});

test('any bytes are messages or a fault, and never more than a line and a message are held', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom('\r\n', ':', 'Event: Hangup\r\n', 'Response: Success\r\n\r\n').map((text) => Buffer.from(text)),
    fc.integer({ min: 8_000, max: 20_000 }).map((length) => Buffer.alloc(length, 'x')),
  );
  const property = fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const reader = new AmiReader();
    for (const message of reader.read(Buffer.from(GREETING))) expect(message.size).toBeGreaterThan(0);
    try {
      for (const one of pieces)
        for (const message of reader.read(Buffer.from(one))) expect(message.size).toBeLessThan(257);
    } catch (error) {
      expect((error as Error).message).toMatch(/too long/);
    }
  });
  fc.assert(property);
});

test('a line of 8192 bytes is read, a longer one and an endless message are faults; so is another greeting', () => {
  const line = (length: number) => Buffer.from(`${GREETING}a: ${'x'.repeat(length - 3)}\n\n`);
  expect(readAll(line(8_192))).toHaveLength(1);
  expect(() => readAll(line(8_193))).toThrow(/line that is too long/);
  expect(() => readAll(Buffer.from(GREETING + 'x'.repeat(8_193)))).toThrow(/line that is too long/);
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}: 1\n`).join('');
  expect(readAll(Buffer.from(`${GREETING}${fields(256)}\n`))).toHaveLength(1);
  expect(() => readAll(Buffer.from(GREETING + fields(257)))).toThrow(/message that is too long/);
  expect(() => readAll(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow(/no manager interface/);
});
