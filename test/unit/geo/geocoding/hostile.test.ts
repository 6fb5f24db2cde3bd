import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { fold, sound, words } from '../../../../shared/text/fold.ts';
import { parseCoordinates } from '../../../../server/geo/geocoding/coordinates/coordinates.ts';
import { interpretationsOf, looserReadings } from '../../../../server/geo/geocoding/query/readings.ts';
import { onOtherKeyboard } from '../../../../server/geo/geocoding/query/keyboard.ts';
import { withoutIncident } from '../../../../server/geo/geocoding/query/incident-words.ts';
import { metresOfDistance } from '../../../../server/geo/territory/geometry/distance.ts';
import { parseHouseNumber } from '../../../../server/geo/territory/places/house-number.ts';
import { SEED } from '../../../support/chance.ts';
import { everyLanguage, DrawnTown } from './drawn-town.ts';
import type { OpenTown } from './drawn-town.ts';

let town: OpenTown;

beforeAll(async () => {
  const drawn = new DrawnTown();
  for (let i = 0; i < 300; i++)
    drawn.street(
      `Street ${'abcdefghij'[i % 10]}${'aeiou'[i % 5]}${'lmnrst'[i % 6]}a ${i}`,
      [0, i * 200],
      [100, i * 200],
    );
  town = await drawn.open();
});

/** Texts made to be slow in a parser, and to break out of a question to the index. */
const HOSTILE = [
  '"',
  '""',
  '*',
  '" OR 1',
  'NEAR(a b)',
  'name:x',
  '{name}:a',
  'a AND',
  'NOT',
  'OR OR OR',
  '^a',
  'a + b',
  '()',
  '(((((',
  ';--',
  "' OR 1=1 --",
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  'ﷺ',
  '🏥🚑',
  '%',
  '_',
  '\\',
  '\n\r\t',
  'a'.repeat(1000),
  '1'.repeat(1000),
  ' '.repeat(1000),
  '-'.repeat(1000),
  '/'.repeat(1000),
  'a/'.repeat(500),
  '1/'.repeat(500),
  '1-'.repeat(500),
  'a '.repeat(500),
  '1 '.repeat(500),
  ' i '.repeat(333),
  'и '.repeat(500),
  'st '.repeat(333),
  'corner of '.repeat(100),
  '1 a'.repeat(333),
  '12 k '.repeat(200),
  'd.'.repeat(500),
  'kv. 5 '.repeat(166),
  '°'.repeat(1000),
  `1${'°'.repeat(999)}`,
  `1.${'1'.repeat(998)}`,
  '1,'.repeat(500),
  "1°1'".repeat(250),
  'N1'.repeat(500),
  'aeiouy'.repeat(166),
  'yjiyji'.repeat(166),
  'shch'.repeat(250),
  'щ'.repeat(1000),
  'ё'.repeat(1000),
  'й-'.repeat(500),
  'пр-т'.repeat(250),
  `${'a'.repeat(39)} `.repeat(25),
  'é'.normalize('NFD').repeat(500),
  `e${'\u0301'.repeat(999)}`,
  'ﬃ'.repeat(1000),
  '㌀'.repeat(1000),
  'x'.repeat(41),
  'streat '.repeat(142),
  'near '.repeat(200),
  'pharmacy near '.repeat(70),
  'fire '.repeat(200),
  '2 cars '.repeat(142),
  'km 1 '.repeat(200),
  'km'.repeat(500),
  '1+'.repeat(500),
  'lat 1 lon '.repeat(100),
  'LAT'.repeat(300),
  `https://${'a'.repeat(900)}`,
  `https://x/?${'q=1,'.repeat(200)}`,
  '@1,'.repeat(300),
  'geo:1'.repeat(200),
  '31UDQ'.repeat(150),
  '22+'.repeat(300),
  '. ш'.repeat(300),
  ' hour north'.repeat(90),
  `lat${' '.repeat(74)}1x`,
  `lat${' 1'.repeat(36)}x`,
  `lat 1${',;'.repeat(36)}x`,
  `https://x/dir${'/1,1'.repeat(240)}x`,
  `https://x/?route=${'1,1;'.repeat(240)}x`,
  'ab cd ef gh ij kl mn op qr st uv wx yz '.repeat(25),
];

test('nothing that can be typed makes the search fail', () => {
  for (const query of HOSTILE)
    expect(() => town.search(query, { near: [0, 0] }), JSON.stringify(query.slice(0, 40))).not.toThrow();
});

/** Processor time of the quickest of three, in milliseconds; one that is quick enough is not repeated. */
function took(work: () => void, enough: number): number {
  let least = Infinity;
  for (let round = 0; round < 3 && least > enough; round++) {
    const began = process.cpuUsage();
    work();
    least = Math.min(least, process.cpuUsage(began).user / 1000);
  }
  return least;
}

test('nothing that can be typed makes the parsers slow, neither where it is cut nor however long it is', () => {
  const parsers = {
    words,
    fold,
    sound: (text: string) => sound(fold(text)),
    readingsOf: (text: string) => interpretationsOf(text, everyLanguage),
    looserReadings: (text: string) => looserReadings(text, everyLanguage),
    parseHouseNumber,
    coordinates: (text: string) => parseCoordinates(text, undefined),
    onOtherKeyboard,
    metresOfDistance,
    link: (text: string) => parseCoordinates(`https://maps.example/?q=${text}`.slice(0, 1000), undefined),
    incident: (text: string) => withoutIncident(text.split(' ')),
  };
  for (const [name, parse] of Object.entries(parsers)) {
    for (const pattern of HOSTILE) {
      const unit = pattern.slice(0, 12) || ' ';
      // Parsers look at so many letters and refuse what is longer, so that patterns are only tried on texts
      // of that length.
      for (const longest of [80, 240, 1000])
        for (const text of [pattern, unit.repeat(longest)])
          expect(
            took(() => parse(text.slice(0, longest)), 200),
            `${name} of ${longest} letters of ${JSON.stringify(pattern.slice(0, 40))}`,
          ).toBeLessThan(200);
      // Fast ones are below what a clock can tell; what grows with the square would take seconds at this
      // length, and four times as long as half of it.
      const text = unit.repeat(Math.ceil(40_000 / unit.length));
      const whole = took(() => parse(text), 1500);
      if (whole >= 1500)
        expect(whole, `${name} of ${JSON.stringify(unit)}`).toBeLessThan(
          3 * took(() => parse(text.slice(0, text.length / 2)), 0),
        );
    }
  }
});

test('any text at all is answered', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1000 }), fc.integer({ min: 1, max: 50 }), (query, limit) => {
      expect(town.search(query, { limit }).length).toBeLessThanOrEqual(limit);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('a search that has no time left answers at once with what it has', async () => {
  const { PlacesFile } = await import('../../../../server/geo/geocoding/search/places-file.ts');
  const { PlaceSearch } = await import('../../../../server/geo/geocoding/search/search.ts');
  const file = PlacesFile.open(town.directory);
  const search = new PlaceSearch(file);
  let asked = 0;
  expect(
    search.run({ query: 'street balma 17 / stret cimra', limit: 10 }, () => {
      asked++;
      return true;
    }),
  ).toEqual([]);
  expect(asked).toBeLessThan(20);
  file.close();
});
