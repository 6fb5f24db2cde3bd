import { create } from 'fontkit';
import { expect, test } from 'vitest';
import { roboto } from '../../../server/roboto.ts';

test('the unpacked font is a whole one: every table has its checksum, and letters have their outlines', () => {
  for (const weight of ['Regular', 'Medium'] as const) {
    const font = roboto(weight);
    const count = font.readUInt16BE(4);
    expect(count).toBeGreaterThan(9);
    for (let entry = 12; entry < 12 + 16 * count; entry += 16) {
      const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)];
      const table = font.subarray(offset, offset + length + (-length & 3));
      let sum = 0;
      // The checksum of the table `head` leaves out the one that it holds itself.
      const head = font.toString('latin1', entry, entry + 4) === 'head';
      for (let at = 0; at < table.length; at += 4) if (!head || at !== 8) sum = (sum + table.readUInt32BE(at)) >>> 0;
      expect([font.toString('latin1', entry, entry + 4), sum]).toEqual([
        font.toString('latin1', entry, entry + 4),
        font.readUInt32BE(entry + 4),
      ]);
    }
    expect(
      create(font)
        .layout('Щg')
        .glyphs.every(({ path }) => path.toSVG().length > 20),
    ).toBe(true);
    expect(roboto(weight)).toBe(font);
  }
});
