import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodeHint, decodeHint } from '../../../../../server/geo/routing/snapping/hints.ts';
import type { RoadPoint } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { drawRoads } from '../town.ts';

const town = drawRoads(
  `
  a---b---c
      |
      d
`,
  { ways: { abc: {}, bd: {} }, minComponent: 1 },
);
const { roads } = town;
const place: RoadPoint = {
  segment: 1,
  piece: roads.columns.segmentFirst[1]!,
  ratio: 0.25,
  lat: 1_000_000,
  lon: -1_000_100,
  distance: 0,
};

/** A hint with a right check over whatever is in it, as somebody could make who has read this program. */
function forged(change: Partial<RoadPoint>): string {
  const bytes = Buffer.from(encodeHint(place, roads), 'base64url');
  const { segment, piece, ratio, lat, lon } = { ...place, ...change };
  bytes.writeUInt32LE(segment, 0);
  bytes.writeUInt32LE(piece, 4);
  bytes.writeFloatLE(ratio, 8);
  bytes.writeInt32LE(lat, 12);
  bytes.writeInt32LE(lon, 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20), roads.checksum), 20);
  return bytes.toString('base64url');
}

test('a hint gives back its place, and fits into an address', () => {
  expect(decodeHint(encodeHint(place, roads), roads)).toEqual(place);
  expect(encodeHint(place, roads)).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect(forged({})).toBe(encodeHint(place, roads));
  for (const ratio of [0, 1]) expect(decodeHint(forged({ ratio }), roads)).toEqual({ ...place, ratio });
  const edge = { lat: -90_000_000, lon: 180_000_000 };
  expect(decodeHint(forged(edge), roads)).toEqual({ ...place, ...edge });
});

test('what no place can be is no hint, however right its check is', () => {
  const { segmentFirst } = roads.columns;
  const wrong: Partial<RoadPoint>[] = [
    { segment: roads.segments },
    { segment: 0xffffffff },
    { segment: 0 },
    { piece: segmentFirst[1]! - 1 },
    { piece: segmentFirst[2]! - 1 },
    { piece: 0xffffffff },
    { ratio: -0.1 },
    { ratio: 1.1 },
    { ratio: NaN },
    { ratio: Infinity },
    { lat: 90_000_001 },
    { lat: -90_000_001 },
    { lon: 180_000_001 },
    { lon: -0x80000000 },
  ];
  for (const change of wrong) expect(decodeHint(forged(change), roads), JSON.stringify(change)).toBeUndefined();
});

test('a hint that was changed by a letter, cut, or made for other roads is ignored', () => {
  const hint = encodeHint(place, roads);
  for (let i = 0; i < hint.length; i++)
    expect(
      decodeHint(`${hint.slice(0, i)}${hint[i] === 'A' ? 'B' : 'A'}${hint.slice(i + 1)}`, roads),
      String(i),
    ).toBeUndefined();
  for (const text of [
    '',
    hint.slice(1),
    `${hint}A`,
    `${hint}AAAA`,
    hint.replace(/.$/, '.'),
    hint.replace(/.$/, '='),
    ' '.repeat(32),
  ])
    expect(decodeHint(text, roads), text).toBeUndefined();
  expect(decodeHint(hint, drawRoads('a---b---c').roads)).toBeUndefined();
});
