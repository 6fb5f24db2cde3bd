import { describe, expect, test } from 'vitest';
import type { Driver, Vehicle } from '../../../../shared/records/index.ts';
import { requestOf } from '../../../../server/exchange/sms/http-gateway.ts';
import { crewOfNumber, numberForGateway, numberOfCrew } from '../../../../server/exchange/sms/numbers.ts';
import { replyOf, STATUS_WORDS } from '../../../../server/exchange/sms/replies.ts';
import { gsmText, segmentsOf, ucs2Text } from '../../../../server/exchange/sms/segments.ts';
import { readReceipt } from '../../../../server/exchange/sms/smpp/delivery-receipt.ts';
import { Chance, SEED } from '../../../support/chance.ts';

describe('parts of a text', () => {
  test.each([
    ['a'.repeat(160), 'gsm', 1],
    ['a'.repeat(161), 'gsm', 2],
    ['€'.repeat(80), 'gsm', 1],
    // An escape and its character stay together: 76 in the first part.
    ['€'.repeat(153), 'gsm', 3],
    ['ж'.repeat(70), 'ucs2', 1],
    ['ж'.repeat(71), 'ucs2', 2],
    ['🚒'.repeat(35), 'ucs2', 1],
    ['🚒'.repeat(67), 'ucs2', 3],
    ['', 'gsm', 1],
  ] as const)('%#', (text, encoding, parts) => {
    const found = segmentsOf(text);
    expect([found.encoding, found.parts.length]).toEqual([encoding, parts]);
  });

  test(`put together again they are the text, and no part is too long (WAYPOST_SEED=${SEED})`, () => {
    const chance = new Chance(SEED);
    for (let round = 0; round < 300; round++) {
      const alphabet = chance.of(['abc {}€\n^', 'ABCäöüß@£', 'жзи 🚒a', 'xyz']);
      const text = Array.from({ length: chance.int(400) }, () => chance.of([...alphabet])).join('');
      const { encoding, parts } = segmentsOf(text);
      const read = encoding === 'gsm' ? gsmText : ucs2Text;
      expect(parts.map(read).join('')).toBe(text);
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(parts.length > 1 ? 134 + 19 : 160);
      if (encoding === 'ucs2' && parts.length > 1)
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(134);
    }
  });
});

test('a status is a digit or a word and nothing else', () => {
  const statusOf = (text: string) => {
    const reply = replyOf(text);
    return reply.kind === 'status' ? reply.status : reply.kind;
  };
  for (const [text, status] of [
    ['4', 4],
    [' 0 ', 0],
    ['Status 3', 3],
    ['статус: 7', 7],
    ['EN ROUTE!', 3],
    ['Прибыли.', 4],
    ['Свободна', 1],
    ['помощь', 0],
    ['Ok', 'answer'],
    ['понял', 'answer'],
    ['2 injured', 'words'],
    ['44', 'words'],
    ['3 4', 'words'],
    ['we are free at 5', 'words'],
    ['', 'words'],
    ['٣', 'words'],
  ] as const)
    expect(statusOf(text), text).toBe(status);
  const all = Object.values(STATUS_WORDS).flatMap((statuses) => statuses.flat());
  expect(new Set(all).size, 'no word means two statuses').toBe(all.length);
  for (const statuses of Object.values(STATUS_WORDS))
    statuses.forEach((words, status) => words.forEach((word) => expect(statusOf(word), word).toBe(status)));
});

test('numbers are written as gateways want them', () => {
  const russian = { countryCode: '7', trunkPrefix: '8' };
  const written = (text: string, settings = russian) => numberForGateway(text, settings);
  expect(written('8 (912) 345-67-89')).toBe('+79123456789');
  expect(written('+7 912 345 67 89')).toBe('+79123456789');
  expect(written('007 912 345 67 89')).toBe('+79123456789');
  expect(written('112')).toBe('112');
  for (const none of ['', 'call me', '12', '+1234567890123456']) expect(written(none)).toBe('');
  expect(written('0791 123 45 67', { countryCode: '41', trunkPrefix: '0' })).toBe('+417911234567');
  expect(written('912 345 67 89', { countryCode: '', trunkPrefix: '' })).toBe('9123456789');
});

test('whose number it is: the crew’s own, who is on duty, the only vehicle of a driver', () => {
  const settings = { countryCode: '423', trunkPrefix: '' };
  const [one, two] = [{ id: 1 } as Vehicle, { id: 2 } as Vehicle];
  const [anna, bert] = [{ id: 1, phone: '+423 700 00 01' } as Driver, { id: 2, phone: '700 00 02' } as Driver];
  const crews = [
    { vehicle: one, phone: '7921001', drivers: [anna, bert] },
    { vehicle: two, phone: '', drivers: [bert] },
  ];
  const whose = (number: string, onDuty = 0) =>
    crewOfNumber(number, crews, (driver, vehicle) => driver === bert && vehicle.id === onDuty, settings)?.id;
  expect(whose('+4237921001')).toBe(1);
  expect(whose('+4237000001')).toBe(1);
  expect(whose('+4237000002'), 'it could be both').toBeUndefined();
  expect(whose('+4237000002', 2)).toBe(2);
  expect(whose('+4237000003')).toBeUndefined();
  expect(whose('')).toBeUndefined();
  expect(crews.map((crew) => numberOfCrew(crew, settings))).toEqual(['+4237921001', '+4237000002']);
});

test('values of a request are encoded for the place where they stand', () => {
  const values = { to: '+1', text: 'a"b\nc&{secret}', id: '7', login: 'me', secret: 's\r\nX: y', basic: 'QQ==' };
  const json = { url: 'https://g/{to}?t={text}', headers: 'Content-Type: application/json\nX-Key: {secret}\nbad line' };
  const request = requestOf({ ...json, body: '{"t":"{text}"}' }, values);
  expect(request.url).toBe(`https://g/%2B1?t=${encodeURIComponent(values.text)}`);
  expect(JSON.parse(request.body)).toEqual({ t: values.text });
  expect(request.headers).toEqual({ 'Content-Type': 'application/json', 'X-Key': 'sX: y' });
  const form = {
    url: 'https://g/',
    headers: 'content-type: application/x-www-form-urlencoded',
    body: 'a={text}&b={id}',
  };
  expect(Object.fromEntries(new URLSearchParams(requestOf(form, values).body))).toEqual({ a: values.text, b: '7' });
});

test('receipts of message centres, as they are written', () => {
  const read = (text: string, ids: 'same' | 'decimal' | 'hexadecimal' = 'same', more = {}) =>
    readReceipt({ esmClass: 4, text, receiptedId: undefined, state: undefined, ...more }, ids);
  expect(
    read('id:0123ABC sub:001 dlvrd:001 submit date:2611262200 done date:2611262201 stat:DELIVRD err:000 text:Hi'),
  ).toEqual({ gatewayId: '123abc', state: 'delivered', error: '' });
  expect(read('id: 26 stat: UNDELIV err: 027', 'decimal')).toEqual({
    ...{ gatewayId: '1a', state: 'failed', error: 'UNDELIV, err 027' },
  });
  expect(read('id:1A stat:EXPIRED', 'hexadecimal')).toMatchObject({ gatewayId: '26', state: 'failed' });
  expect(read('nothing here', 'same', { receiptedId: 'x1', state: 2 })).toMatchObject({ state: 'delivered' });
  for (const open of ['id:1 stat:ENROUTE', 'id:1 stat:ACCEPTD', 'stat:DELIVRD', '', 'id:'])
    expect(read(open)).toBeUndefined();
});
