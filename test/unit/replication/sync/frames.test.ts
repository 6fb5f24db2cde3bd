import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeFrame,
  encodeFrame,
  LARGEST_PART,
  type EncodedFrame,
} from '../../../../server/replication/sync/links/connection/frames.ts';
import { Outbox } from '../../../../server/replication/sync/links/connection/outbox.ts';

test('[sync 16] a frame is read as it was written, with and without bytes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.option(fc.uint8Array({ maxLength: 2_000 })), fc.nat(), (body, bytes, id) => {
      const sent = JSON.parse(JSON.stringify({ body })) as { body: unknown };
      const encoded = encodeFrame({ type: 'answer', id, ...sent }, bytes ?? undefined);
      const { frame, bytes: received } = decodeFrame(encoded.data, encoded.text);
      expect(frame).toEqual({ type: 'answer', id, ...sent });
      expect(received && [...received]).toEqual(bytes ? [...bytes] : undefined);
    }),
  );
});

test('[sync 16] what is no frame is refused, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, text) => {
      const refused = (): boolean => {
        try {
          decodeFrame(Buffer.from(bytes), text);
          return false;
        } catch (error) {
          return (error as Error).name === 'Refusal';
        }
      };
      expect(refused()).toBe(true);
    }),
  );
  const wrong = [
    { type: 'request', id: -1, kind: 'pull', body: 1 },
    { type: 'request', id: 1, body: 1 },
    { type: 'x' },
  ];
  for (const frame of wrong) expect(() => decodeFrame(Buffer.from(JSON.stringify(frame)), true)).toThrow('wrong form');
});

/** An outbox whose socket passes frames on at once. */
function outbox(now: () => number = () => 0) {
  const written: { encoded: EncodedFrame; compress: boolean }[] = [];
  const box = new Outbox({ now, send: (encoded, compress, sent) => (written.push({ encoded, compress }), sent()) });
  const parts = () =>
    written.filter(({ encoded }) => !encoded.text).map(({ encoded }) => decodeFrame(encoded.data, false));
  return { box, written, parts };
}

const long = (size: number) => encodeFrame({ type: 'answer', id: 1, body: null }, Buffer.alloc(size));
const short = encodeFrame({ type: 'notice', kind: 'news', body: null });

test('[sync 18] files wait for everything else, and are not compressed', () => {
  const { box, written, parts } = outbox();
  box.put(long(200_000), 'file');
  const before = parts().length;
  box.put(long(200_000), 'normal');
  box.put(short, 'normal');
  box.put(short, 'urgent');
  expect(written.filter(({ encoded }) => encoded.text)).toHaveLength(2);
  for (let at = 0; at < parts().length; at++) box.confirmed(parts()[at]!.bytes!.length);
  const ids = parts().map(({ frame }) => (frame.type === 'part' ? frame.id : 0));
  // The file began alone; then the answer goes as a whole, then the rest of the file.
  expect(ids.slice(0, before)).toEqual(Array(before).fill(1));
  expect(ids.slice(before).lastIndexOf(2)).toBeLessThan(ids.slice(before).indexOf(1));
  expect(box.queued).toBe(0);
  const compressed = written.filter(({ encoded }) => !encoded.text).map(({ compress }) => compress);
  expect(compressed).toEqual(ids.map((id) => id === 2));
});

test('[sync 19] on a slow line little is unconfirmed, on a fast line much', () => {
  const unconfirmedAfter = (took: number): number => {
    let now = 0;
    const { box, parts } = outbox(() => now);
    for (let count = 0; count < 10; count++) box.put(long(1_000_000), 'file');
    let confirmed = 0;
    for (let count = 0; count < 40; count++) {
      now += took;
      box.confirmed(parts()[confirmed++]!.bytes!.length);
    }
    return parts()
      .slice(confirmed)
      .reduce((sum, { bytes }) => sum + bytes!.length, 0);
  };
  expect(unconfirmedAfter(4_000)).toBeLessThanOrEqual(16 * 1024);
  expect(unconfirmedAfter(5)).toBeGreaterThan(10 * LARGEST_PART);
});

test('[sync 19] who wants to send waits while more than 8 MB are queued', async () => {
  const { box, parts } = outbox();
  for (let count = 0; count < 9; count++) box.put(long(1_000_000), 'normal');
  let isDrained = false;
  const drained = box.drained().then(() => (isDrained = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDrained).toBe(false);
  for (let at = 0; at < parts().length; at++) box.confirmed(parts()[at]!.bytes!.length);
  await drained;
});
