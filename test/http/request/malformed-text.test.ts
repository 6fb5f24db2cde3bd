import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let as: string;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
});
afterAll(() => at.stop());

const WHY = 'has characters that are not text (NUL, or half of a surrogate pair).';

test('texts with NUL or half of a surrogate pair are refused by name, in bodies of every kind; a whole pair is kept', async () => {
  for (const broken of ['a\0b', 'a\ud83d', '\ude00b']) {
    expect(await at.ask('POST', '/news/', { as, body: { values: { title: broken, news_type_id: 1 } } })).toMatchObject({
      status: 400,
      text: JSON.stringify({ res: 0, resText: `values.title ${WHY}` }),
    });
    expect(
      await at.ask('POST', '/organizations', { as, body: { name: 'Fine', info: { address: broken } } }),
    ).toMatchObject({ status: 400, text: `info.address ${WHY}` });
    expect(
      await at.ask('POST', '/organizations', { as, body: { name: 'Fine', info: { [broken]: 'x' } } }),
    ).toMatchObject({ status: 400, text: `info ${WHY}` });
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await at.ask('POST', '/category', { as, headers: form, body: 'name=a%00b' })).toMatchObject({
    status: 400,
    text: JSON.stringify({ res: 0, resText: `name ${WHY}` }),
  });
  for (const body of ['name=100%', 'name=%zz', 'name=%4', 'na%me=x'])
    expect(await at.ask('POST', '/category', { as, headers: form, body })).toMatchObject({
      status: 400,
      text: JSON.stringify({ res: 0, resText: 'The form is not correctly percent-encoded.' }),
    });
  expect((await at.ok('POST', '/category', { as, headers: form, body: 'name=100%25+%D0%96' })).category.name).toBe(
    '100% Ж',
  );
  expect(
    (
      await at.ok('POST', '/category', {
        as,
        body: '{"name":"\\ud83d\\ude00 \\\\u0000"}',
        headers: { 'content-type': 'application/json' },
      })
    ).category.name,
  ).toBe('😀 \\u0000');
});

test('a broken text is found however much stands before it; a body that is all depth is refused as that', async () => {
  const headers = { 'content-type': 'application/json' };
  const deep = `${'['.repeat(25_000)}"\\u0000"${']'.repeat(25_000)}`;
  expect(await at.ask('POST', '/organizations', { as, headers, body: `{"name":"Deep","info":${deep}}` })).toMatchObject(
    { status: 400, text: 'The body is nested too deeply.' },
  );
  const long = `[${'1,'.repeat(50_000)}"\\u0000"]`;
  expect(await at.ask('POST', '/organizations', { as, headers, body: `{"name":"Long","info":${long}}` })).toMatchObject(
    { status: 400, text: `info.50000 ${WHY}` },
  );
});
