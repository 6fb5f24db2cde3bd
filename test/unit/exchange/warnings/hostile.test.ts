import { expect, test } from 'vitest';
import { geometryFault } from '../../../../shared/geo/geojson.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Chance, SEED } from '../../../support/chance.ts';
import { alert, info, pointLocation, publication, read, record } from './documents.ts';

const DOCUMENTS = [
  alert({ infos: [info(), info({ language: 'ru', area: '<areaDesc>x</areaDesc><circle>47,9 3</circle>' })] }),
  publication(record() + record({ id: 'R2', type: 'Accident', more: '' }), { version: 3 }),
  publication(record({ location: pointLocation(89.9, -179.9) })),
  `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>Flood</title><link type="application/cap+xml"
 href="1.cap"/><point>47 9</point><box>47 9 48 10</box><event>Flood</event><severity>Minor</severity></entry></feed>`,
];
const PIECES = [
  '',
  '<',
  '>',
  '&',
  '"',
  '</',
  '<a>',
  ' ',
  '-',
  'NaN',
  '1e999',
  '\u0000',
  '\ufffd',
  '9999999',
  ',',
  '👩',
  ']]>',
];

function cut(text: string, chance: Chance): string {
  const at = chance.int(text.length);
  const end = chance.maybe(0.1) ? text.length : at + chance.int(12);
  return text.slice(0, at) + chance.of(PIECES) + text.slice(end);
}

/** Another text in an element. */
function otherValue(text: string, chance: Chance): string {
  const values = [...text.matchAll(/(?<=>)[^<>]+(?=<\/)/g)];
  if (values.length === 0) return text;
  const value = chance.of(values);
  const other = chance.of(PIECES).replace(/[<>&\0]|]]/g, '');
  return text.slice(0, value.index) + other + text.slice(value.index + value[0].length);
}

test(`3,000 damaged documents are read or refused, and what is read has valid places (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  let readable = 0;
  for (let round = 0; round < 3_000; round++) {
    let text = chance.of(DOCUMENTS);
    for (let cuts = chance.int(3); cuts >= 0; cuts--)
      text = chance.maybe() ? cut(text, chance) : otherValue(text, chance);
    try {
      const { warnings, links } = read(text);
      const all = [...warnings, ...links.flatMap(({ entry }) => entry ?? [])];
      for (const { geometry, from, until, texts, severity } of all) {
        expect(geometry && geometryFault(geometry), text).toBe(geometry === null ? null : undefined);
        expect([Number.isFinite(from), until === null || Number.isFinite(until), texts.length > 0], text).toEqual([
          true,
          true,
          true,
        ]);
        expect(severity, text).toMatch(/^[a-z]+$/);
      }
      readable++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw new Error(`not refused: ${text}`, { cause: error });
      expect(error.code).toBe('warnings.brokenFeed');
    }
  }
  // Most cuts hit a text or break the XML: both happen.
  expect(readable).toBeGreaterThan(500);
  expect(readable).toBeLessThan(2_500);
});
