import { expect, test } from 'vitest';
import { parseJson } from '../../../../server/http/request/parse-json.ts';
import { SEED, numbers } from '../../../support/chance.ts';

const parse = (json: string | Buffer) => parseJson(Buffer.from(json));
const record = (i: number) => ({
  glonassId: i,
  time: 1_780_000_000_000 + i,
  lat: 47.14,
  lon: 9.52,
  params: { note: 'Größe, "ж" ]}' },
});
const records = (count: number) => Array.from({ length: count }, (_, i) => record(i));

test(`gives what JSON.parse gives, and refuses what it refuses (WAYPOST_SEED=${SEED})`, async () => {
  const random = numbers(SEED);
  let refused = 0;
  for (let round = 0; round < 150; round++) {
    const json = Buffer.from(JSON.stringify(anything(random, 5, 40_000), undefined, random() < 0.3 ? 1 : undefined));
    for (let flaw = random() < 0.6 ? 1 : 0; flaw > 0; flaw--)
      json[Math.floor(random() * json.length)] = Buffer.from('",:[]{}\\ 1')[Math.floor(random() * 10)]!;
    let whole: { value: unknown } | undefined;
    try {
      whole = { value: JSON.parse(json.toString()) };
    } catch {
      refused++;
    }
    const asked = parse(json);
    if (whole) expect(await asked).toEqual(whole.value);
    else await expect(asked).rejects.toMatchObject({ kind: 'invalid', message: 'The body is not valid JSON.' });
  }
  expect(refused).toBeGreaterThan(10);
});

test('a long list with a comma too many, or a bracket of the wrong kind, is not JSON wherever it is cut', async () => {
  const entries = records(2000).map((one) => JSON.stringify(one));
  const long = JSON.stringify(records(2000));
  const named = `{"a":1,"long":${long}}`;
  expect(await parse(named)).toEqual(JSON.parse(named));
  for (const wrong of [
    `[,${entries.join()}]`,
    `[${entries.join()},]`,
    `[${entries.join(',,')}]`,
    `[${long},]`,
    `[${long},,1]`,
    `[,${long}]`,
    `{${entries.join()}]`,
    `${long}]`,
    `[${long}`,
    `{"a":1,,"long":${long}}`,
    `{"long":${long},}`,
    `{"long",${long}}`,
    `{${long}}`,
    `{long:${long}}`,
    `{"a":"${long}`,
    `[${long} ${long}]`,
  ]) {
    await expect(parse(wrong), wrong.slice(0, 30)).rejects.toMatchObject({ message: 'The body is not valid JSON.' });
  }
});

test('a member of a long object may have any name', async () => {
  const json = `{"__proto__":{"admin":true},"list":${JSON.stringify(records(2000))},"__proto__":${JSON.stringify(records(1000))}}`;
  const parsed = (await parse(json)) as object;
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(json)));
});

test('a mark of the byte order and white space are passed over', async () => {
  for (const value of [records(1), records(2000), '', 5, null])
    expect(await parse(`\u{feff} \n${JSON.stringify(value)}\t `)).toEqual(value);
  await expect(parse('  ')).rejects.toMatchObject({ message: 'The body is not valid JSON.' });
});

test('a body that is nested too deeply is refused, short or long', async () => {
  const nested = (levels: number, inside: string) => '['.repeat(levels) + inside + ']'.repeat(levels);
  const long = JSON.stringify(records(2000));
  expect(await parse(nested(60, '1'))).toBeDefined();
  expect(await parse(nested(10, long))).toEqual(JSON.parse(nested(10, long)));
  for (const deep of [nested(70, '1'), nested(30, long), `[${long},${nested(70, '1')}]`, nested(100_000, '')])
    await expect(parse(deep)).rejects.toMatchObject({ kind: 'invalid', message: 'The body is nested too deeply.' });
});

test('a text that cannot be cut may be long, not very long', async () => {
  expect(await parse(JSON.stringify(['x'.repeat(900_000)]))).toEqual(['x'.repeat(900_000)]);
  await expect(parse(JSON.stringify(['x'.repeat(1_100_000)]))).rejects.toMatchObject({ kind: 'too-large' });
});

test('the event loop has its turns while a long body is parsed, and other bodies are not mixed up with it', async () => {
  const many = records(100_000);
  let turns = 0;
  let parsing = true;
  const count = (): void => {
    turns++;
    if (parsing) setImmediate(count);
  };
  setImmediate(count);
  const [first, second, short] = await Promise.all([
    parse(JSON.stringify(many)),
    parse(JSON.stringify({ many })),
    parse('[7]'),
  ]);
  parsing = false;
  expect(first).toEqual(many);
  expect(second).toEqual({ many });
  expect(short).toEqual([7]);
  expect(turns).toBeGreaterThan(10);
});

/** Any JSON value; now and then of some 100 KiB. */
function anything(random: () => number, depth: number, size: number): unknown {
  const kind = depth === 0 || size < 10 ? random() * 0.5 : random();
  if (kind < 0.1) return null;
  if (kind < 0.2) return random() < 0.5;
  if (kind < 0.35) return (random() - 0.5) * 10 ** Math.floor(random() * 20);
  if (kind < 0.5)
    return ['', 'a', '"\\', 'улица', '[,]', '\u{1f697}\n', 'x'.repeat(Math.floor(random() * 100))][
      Math.floor(random() * 7)
    ];
  const parts = Math.ceil(random() * (random() < 0.3 ? Math.min(size, 3000) : 6));
  const list = Array.from({ length: parts }, () => anything(random, depth - 1, size / parts));
  return kind < 0.75
    ? list
    : Object.fromEntries(list.map((value, i) => [random() < 0.1 ? '__proto__' : `name ${i}`, value]));
}
