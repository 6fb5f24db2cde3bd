import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
import { expect, test } from 'vitest';
import { ROBOTO } from '../../../server/platform/program.ts';

test.each(Object.entries(ROBOTO))('the shipped font %s is whole: every table has its checksum', (_, path) => {
  const font = readFileSync(path);
  const count = font.readUInt16BE(4);
  expect(count).toBeGreaterThan(9);
  for (let entry = 12; entry < 12 + 16 * count; entry += 16) {
    const tag = font.toString('latin1', entry, entry + 4);
    const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)];
    const table = font.subarray(offset, offset + length + (-length & 3));
    let sum = 0;
    // The checksum of the table `head` leaves out the checksum of the file, which that table holds.
    for (let at = 0; at < table.length; at += 4)
      if (tag !== 'head' || at !== 8) sum = (sum + table.readUInt32BE(at)) >>> 0;
    expect([tag, sum]).toEqual([tag, font.readUInt32BE(entry + 4)]);
  }
});

test.each(Object.entries(ROBOTO))('the shipped font %s draws Latin, Cyrillic and Greek letters', (_, path) => {
  const { glyphs } = create(readFileSync(path)).layout('gЩψ');
  expect(glyphs.map(({ path: outline }) => outline.toSVG().length > 20)).toEqual([true, true, true]);
});
