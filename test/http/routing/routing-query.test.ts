import { expect, test } from 'vitest';
import { parseRoutingQuery } from '../../../server/http/routing/routing-query.ts';
import type { RoutingPoint, RoutingQuery } from '../../../server/http/routing/routing-query.ts';

/** The grammar of area C where `routing.test.ts` does not test it over HTTP. */

const TWO = 'loc=1,1&loc=2,2';
const parse = (options: string): RoutingQuery => parseRoutingQuery(`/viaroute?${options}`);
const refusal = (options: string): string => {
  try {
    parse(options);
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};
const malformedAt = (position: number): string => `Query string malformed close to position ${position}`;
const END = `/viaroute?${TWO}`.length;

test('[2.1] coordinates are whole micro-degrees of the decimals that were written, cut off towards zero', () => {
  const written: Record<string, [lat: number, lon: number]> = {
    '1.0008999,-1.0008999': [1_000_899, -1_000_899],
    '1.000899,1.000901': [1_000_899, 1_000_901],
    '0.0000009,-0.0000019': [0, -1],
    '.5,5.': [500_000, 5_000_000],
    '+1,+0.000001': [1_000_000, 1],
    '1e-3,10000e-4': [1000, 1_000_000],
    '1.25E1,-2.5e+1': [12_500_000, -25_000_000],
    '0.00000123e6,12345678e-6': [1_230_000, 12_345_678],
    '1e-400,1e-7': [0, 0],
    '000001.5,0000000000000000000002': [1_500_000, 2_000_000],
    '90,180': [90e6, 180e6],
    '-90,-180': [-90e6, -180e6],
    '90.0000009,-180.0000009': [90e6, -180e6],
  };
  for (const [value, [lat, lon]] of Object.entries(written)) {
    const [point] = parse(`loc=${value}`).loc;
    expect([point!.lat + 0, point!.lon + 0], value).toEqual([lat, lon]); // zero has no sign
  }
});

test('[2.1] coordinates off the globe are a bad request, also in the rows and columns of a table, and before any hint', () => {
  for (const name of ['loc', 'src', 'dst'])
    for (const value of [
      '90.000001,0',
      '-90.000001,0',
      '0,180.000001',
      '0,-180.000001',
      '1e9,1',
      '1,1e400',
      '1e999999999999,1',
    ])
      expect(refusal(`${TWO}&${name}=${value}&hint=x`), `${name}=${value}`).toBe('Bad Request');
});

test('[2.1] a value that is not a pair of decimals is malformed at the start of its option', () => {
  for (const value of [
    '',
    '1',
    '1,',
    ',1',
    'x,1',
    '1,x',
    'NaN,1',
    'Infinity,1',
    '1 ,1',
    ' 1,1',
    '1;1',
    '0x1,1',
    '--1,1',
    '1,-',
    '.,1',
    '1e,1',
    '١,١',
  ])
    expect(refusal(`${TWO}&loc=${value}`), value).toBe(malformedAt(END));
  // What a rule has taken before it ends is the option; what is left over has no rule.
  expect([refusal('loc=1,1e'), refusal('loc=1,1.1.1'), refusal('loc=1,1,1'), refusal('loc=1,1 ')]).toEqual(
    [17, 19, 17, 17].map(malformedAt),
  );
});

test('[2] a repeated option counts the last time; points collect in order', () => {
  expect(
    parse(
      `z=3&${TWO}&z=5&alt=false&alt=true&output=gpx&output=json&profile=car&profile=foot&jsonp=a&jsonp=b&checksum=1&checksum=2`,
    ),
  ).toMatchObject({ z: 5, alt: true, output: 'json', profile: 'foot', jsonp: 'b', checksum: 2 });
  expect(parse('loc=3,3&z=1&loc=1,1&alt=true&loc=2,2').loc.map(({ lat }) => lat / 1e6)).toEqual([3, 1, 2]);
});

test('[2] options come in any order, joined by one &', () => {
  for (const options of [
    `&${TWO}`,
    `${TWO}&`,
    `loc=1,1&&loc=2,2`,
    `loc=1,1loc=2,2`,
    `loc=1,1;loc=2,2`,
    `loc=1,1?loc=2,2`,
    `${TWO}#`,
  ])
    expect(refusal(options), options).toMatch(/^Query string malformed/);
  expect(parse(`instructions=true&z=3&${TWO}&geometry=false`)).toMatchObject({
    instructions: true,
    z: 3,
    geometry: false,
    compression: true,
    alt: true,
  });
});

test('[2] names and values are case-sensitive, and unknown ones are malformed', () => {
  for (const option of [
    'Z=3',
    'LOC=1,1',
    'Alt=true',
    'foo=1',
    '_=123',
    'z',
    '=1',
    'z=',
    'loc',
    '__proto__=1',
    'constructor=1',
    'hint=',
    'jsonp=',
    'output=',
    'hl=',
    'token=',
  ])
    expect(refusal(`${TWO}&${option}`), option).toBe(malformedAt(END));
});

test('[2] booleans are exactly true and false', () => {
  for (const name of ['instructions', 'alt', 'geometry', 'compression', 'distances', 'u', 'uturns']) {
    for (const value of ['1', '0', 'yes', 'TRUE', 'True', 'T', ''])
      expect(refusal(`${TWO}&${name}=${value}`), `${name}=${value}`).toBe(malformedAt(END));
    expect([refusal(`${TWO}&${name}=true`), refusal(`${TWO}&${name}=false`)], name).toEqual(['taken', 'taken']);
  }
});

test('[2.1] z is 18 unless it is a whole number from 0 to 18; other text is malformed', () => {
  const zoom = (value: string): number => parse(`${TWO}&z=${value}`).z;
  expect(['0', '7', '18', '+5', '007', '-0'].map(zoom).map((z) => z + 0)).toEqual([0, 7, 18, 5, 7, 0]);
  expect(['19', '-1', '99999999999999999999'].map(zoom)).toEqual([18, 18, 18]);
  expect([refusal(`${TWO}&z=x`), refusal(`${TWO}&z=1.5`), refusal(`${TWO}&z=--1`)]).toEqual(
    [END, END + 4, END].map(malformedAt),
  );
});

test('[2.1] num_results is 1 unless it is 1 to 100', () => {
  const results = (value: string): number => parse(`loc=1,1&num_results=${value}`).num_results;
  expect(['1', '2', '100', '0', '101', '-5'].map(results)).toEqual([1, 2, 100, 1, 1, 1]);
});

test('[2.1] a hint and a u apply to the point before them; the last of several hints counts; before any point they apply to none', () => {
  const of = (options: string): (string | undefined)[] => parse(options).loc.map(({ hint }) => hint);
  expect(of('hint=x&loc=1,1&hint=a&hint=b&loc=2,2&z=3&hint=c&loc=3,3')).toEqual(['b', 'c', undefined]);
  expect(parse('u=true&loc=1,1&u=true&u=false&loc=2,2&u=true').loc.map(({ uturn }) => uturn)).toEqual([false, true]);
  expect(refusal('loc=1,1&hint=a+b')).toBe(malformedAt(24));
  expect(parse('loc=1,1&hint=A-z_0.9').loc[0]!.hint).toBe('A-z_0.9');
});

test('[2.1] uturns=true counts for the points before and after; false has no effect', () => {
  const turns = (options: string): (boolean | undefined)[] => parse(options).loc.map(({ uturn }) => uturn);
  expect(turns('loc=1,1&uturns=true&loc=2,2')).toEqual([true, true]);
  expect(turns('loc=1,1&uturns=false&loc=2,2')).toEqual([false, false]);
  expect(turns('uturns=true&loc=1,1&uturns=false&loc=2,2&u=false')).toEqual([true, false]);
  expect(turns('uturns=true&locs=_c`|@_upzA_c`|@_c`|@')).toEqual([true, true]);
});

test('[2.1] b has whole degrees below 360 and a range up to 180, 10 when not given; one for every point', () => {
  expect(parse('loc=1,1&b=0&loc=2,2&b=359,180').loc.map(({ heading }) => heading)).toEqual([
    { degrees: 0, range: 10 },
    { degrees: 359, range: 180 },
  ]);
  expect(parse('b=5,0&b=90,9&loc=1,1&loc=2,2').loc.map(({ heading }) => heading)).toEqual([
    { degrees: 5, range: 0 },
    { degrees: 90, range: 9 },
  ]);
  expect(parse('src=1,1&b=1&dst=2,2&b=2').src[0]!.heading).toEqual({ degrees: 1, range: 10 });
  expect([refusal(`${TWO}&b=1`), refusal(`${TWO}&b=1&b=2&b=3`)]).toEqual([
    'There are 1 directions (b) for 2 points.',
    'There are 3 directions (b) for 2 points.',
  ]);
  for (const value of ['360', '400', '1000', '-1', 'x', ''])
    expect(refusal(`${TWO}&b=${value}`), value).toBe(malformedAt(END));
  for (const range of ['181', '200', '-1', ''])
    expect(refusal(`${TWO}&b=90,${range}`), range).toBe(malformedAt(END + 5));
});

test('[2] the URL is percent-decoded once, and positions refer to the decoded text', () => {
  const point = ({ lat, lon }: RoutingPoint): number[] => [lat / 1e6, lon / 1e6];
  expect(parse('%6Coc%3D1%2C1%26loc=%2B2,%2d2').loc.map(point)).toEqual([
    [1, 1],
    [2, -2],
  ]);
  expect(parseRoutingQuery('/via%72oute%3Floc=1,1').service).toBe('viaroute');
  expect(refusal(`%6Coc=1,1&loc=x`)).toBe(malformedAt(17));
  expect(refusal('loc=1,1&hint=%2541')).toBe(malformedAt(17));
  for (const broken of ['%', '%4', '%zz', '%ff', '%C0%80', '%00', '%ED%A0%80', 'é', '🚒'])
    expect(refusal(`${TWO}&hint=${broken}`), broken).toBe(malformedAt(END));
});

test('[2.1] the name of a function has letters, digits, _ . - [ ] and escapes', () => {
  expect(parse(`${TWO}&jsonp=App.on-_9%5B0%5D`).jsonp).toBe('App.on-_9[0]');
  expect(parse(`${TWO}&jsonp=f%255B0%255d`).jsonp).toBe('f%5B0%5d');
  for (const value of ['%28', '%3B', '%20', '%25', '%25zz', '%22', '%3C', '%00', '%E2%80%A8'])
    expect(refusal(`${TWO}&jsonp=${value}`), value).toBe(malformedAt(END));
});

test('[2] the service is letters only', () => {
  for (const path of ['', '/', '/?', '//', '/1', '?loc=1,1', 'viaroute?loc=1,1'])
    expect(() => parseRoutingQuery(path), path).toThrow(malformedAt(0));
  expect(() => parseRoutingQuery('/viaroute2?loc=1,1')).toThrow(malformedAt(9));
  expect(() => parseRoutingQuery('/viaroute/?loc=1,1')).toThrow(malformedAt(9));
});
