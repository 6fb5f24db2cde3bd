import { expect, test } from 'vitest';
import { packEntry, unpackEntry } from '../../../../server/replication/nats/record-entry.ts';

const roundTrip = async (text: string, isDeleted: boolean) => {
  const { headers, bytes } = await packEntry(text, isDeleted, 'run 1');
  return { size: bytes.length, entry: await unpackEntry('0000000001', { seq: 7, headers, data: bytes }) };
};

test('a record comes back as it was, also a long one, which is compressed', async () => {
  for (const text of ['{"id":1}', JSON.stringify({ id: 1, text: 'Дерево на дороге. '.repeat(50_000) })]) {
    const { entry } = await roundTrip(text, false);
    expect(entry).toEqual({ key: '0000000001', text, isDeleted: false, sequence: 7 });
  }
  expect((await roundTrip('a'.repeat(100_000), false)).size).toBeLessThan(1_000);
  expect((await roundTrip('{"id":1}', true)).entry.isDeleted).toBe(true);
});

test('bytes that cannot be inflated, or are too many then, are no JSON and do not throw', async () => {
  const { headers } = await packEntry('a'.repeat(5_000), false, 'run 1');
  for (const data of [Buffer.from('no deflate'), (await packEntry('a'.repeat(4_000_000), false, '')).bytes])
    expect((await unpackEntry('0000000001', { seq: 1, headers, data })).text).toBe('');
});
