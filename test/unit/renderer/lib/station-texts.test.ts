import { globSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { russianNetworkText } from '../../../../renderer/src/lib/i18n/network-texts.ts';
import { russianStationText } from '../../../../renderer/src/lib/i18n/station-texts.ts';
import { answerFault, fetchFault } from '../../../../server/platform/web/http-answer.ts';
import { TelemetryRecord } from '../../../../server/tracking/telemetry/records/fix.ts';

const root = new URL('../../../../', import.meta.url);
const sourceOf = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('reasons why mail is not sent are in Russian, for the real texts of station, library and network', async () => {
  expect(
    russianStationText(/NO_SERVER = '(.+)';/.exec(sourceOf('server/reporting/notify/mail-queue.ts'))![1]!),
  ).toMatch(/^Почтовый сервер не задан/);
  const library = sourceOf('node_modules/nodemailer/dist/esm/smtp-connection/index.js');
  for (const said of [
    'Greeting never received',
    'Connection timeout',
    'Invalid login',
    'No recipients defined',
    'Mail command failed',
    'Recipient command failed',
    'Data command failed',
    'Message failed',
    "Can't send mail - all recipients were rejected",
  ]) {
    expect(library).toContain(said);
    expect(
      russianStationText(`${said}${/login|failed|rejected/.test(said) ? ': 550 5.1.1 No such user' : ''}`),
    ).toMatch(/^[А-Я][^A-Za-z]+(: 550 5\.1\.1 No such user)?$/);
  }
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const error = (await createTransport({ host: '127.0.0.1', port })
    .sendMail({ from: 'a@example.org', to: 'b@example.org', text: '' })
    .catch((reason: unknown) => reason)) as Error;
  expect(russianStationText(error.message)).toBe(`Почтовый сервер не принимает соединение: 127.0.0.1:${port}`);
});

test('reasons why a gateway or a receiver was not reached are in Russian, for the real texts of network and station', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const refusal = await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => fetchFault(error, ''));
  expect(russianNetworkText(String(refusal))).toBe(`Там не принимают соединение: 127.0.0.1:${port}`);
  const nowhere = await fetch('http://gateway.invalid').catch((error: unknown) => fetchFault(error, ''));
  expect(russianNetworkText(String(nowhere))).toBe('Такой адрес не найден: gateway.invalid');
  const sources = globSync('server/exchange/{sms,publish}/**/*.ts', { cwd: root }).map(sourceOf).join('\n');
  const said = [...sources.matchAll(/(?:Error\(|fetchFault\(error, |problem \|\| )(['`])((?:The|Not)\b[^'`]*)\1/g)].map(
    (found) => found[2]!.replace(/\$\{[^}]*\}/g, '0x0d'),
  );
  expect(said.length).toBeGreaterThan(6);
  expect(said.filter((text) => !isRussian(russianNetworkText(text)))).toEqual([]);
  expect(russianNetworkText(answerFault(503, 'busy'))).toBe('Ответ с кодом 503: busy');
  expect(russianNetworkText(answerFault(500, ''))).toBe('Ответ с кодом 500.');
});

test('reasons why a record was not read are in Russian; unknown texts stay unchanged', () => {
  expect(russianStationText('lat: Too big: expected number to be <=90')).toBe('lat: нужно число <= 90');
  expect(russianStationText('No vehicle has the device 990001.')).toBe('Трекера 990001 нет ни у одной машины.');
  expect(russianStationText('something else')).toBe('something else');
});

/** Words of our own in a text: names of fields, of formats and of what a device said are as they are. */
const isRussian = (text: string) =>
  /^[А-Я]/.test(text) && !/\b(?:the|is|are|has|not|no|with|without|missing)\b/.test(text);

test('every reason for which a decoder refuses a packet has its Russian', () => {
  const sources = globSync('server/tracking/telemetry/{decoders/*,listeners/*,ingest/*,quarantine/*,telemetry}.ts', {
    cwd: root,
  })
    .map(sourceOf)
    .join('\n');
  const said = [
    ...sources.matchAll(
      /(?:Gibberish\(|RangeError\(|[fF]ault\(|reason(?: =|:) |taken\)?, |source, |return )(['`])((?:An?|The|No|Another|a|an|the|more|not)\b[^'`]*)\1/g,
    ),
  ].map((found) => found[2]!.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7'));
  said.push(
    ...[...sourceOf('server/tracking/telemetry/decoders/osmand.ts').matchAll(/return '([^']+ [^']+)'/g)].map(
      (found) => found[1]!,
    ),
  );
  expect(said.length).toBeGreaterThan(35);
  expect(said.filter((text) => !isRussian(russianStationText(text)))).toEqual([]);
});

test('every fault that the schema of records finds has its Russian, several at once too', () => {
  const right = { imei: '1', time: 1_700_000_000_000, lat: 1, lon: 2 };
  const wrong: unknown[] = [
    { time: undefined },
    { time: 1.5 },
    { time: -1 },
    { time: 9e18 },
    { lat: 'x' },
    { lat: 91 },
    { lat: -91 },
    { lat: Number.NaN },
    { lon: Number.POSITIVE_INFINITY },
    { imei: undefined },
    { imei: '' },
    { imei: 7 },
    { imei: '9'.repeat(33) },
    { glonassId: 1.5 },
    { gpsCount: 2_000 },
    { inputs: -1 },
    { speed: -1 },
    { adc: 'x' },
    { adc: ['x'] },
    { adc: Array.from({ length: 65 }, () => 1) },
    { params: [] },
    { params: { a: {} } },
    { params: { ['a'.repeat(65)]: 1 } },
    { params: { a: 'x'.repeat(1_345) } },
    { lat: 'x', lon: 191, adc: 7 },
  ];
  for (const fault of [...wrong.map((change) => ({ ...right, ...(change as object) })), 7, null, []]) {
    const { error } = TelemetryRecord.safeParse(fault);
    const said = error!.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`).join('; ');
    expect(russianStationText(said), said).toMatch(/^[^;]*[а-я]/);
    expect(russianStationText(said), said).not.toMatch(/Invalid|Too |expected|missing/);
  }
});
