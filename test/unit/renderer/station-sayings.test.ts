import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { russianSaying } from '../../../renderer/src/words/station-sayings.ts';

const sourceOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('why mail does not go is told in Russian, as the station, its library and the network really say it', async () => {
  expect(russianSaying(/NO_SERVER = '(.+)';/.exec(sourceOf('server/notify/mail-queue.ts'))![1]!)).toMatch(/^Почтовый сервер не задан/);
  const library = sourceOf('node_modules/nodemailer/dist/esm/smtp-connection/index.js');
  for (const said of ['Greeting never received', 'Connection timeout', 'Invalid login', 'No recipients defined', 'Mail command failed', 'Recipient command failed', 'Data command failed', 'Message failed', "Can't send mail - all recipients were rejected"]) {
    expect(library).toContain(said);
    expect(russianSaying(`${said}${/login|failed|rejected/.test(said) ? ': 550 5.1.1 No such user' : ''}`)).toMatch(/^[А-Я][^A-Za-z]+(: 550 5\.1\.1 No such user)?$/);
  }
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const error = (await createTransport({ host: '127.0.0.1', port }).sendMail({ from: 'a@example.org', to: 'b@example.org', text: '' }).catch((reason: unknown) => reason)) as Error;
  expect(russianSaying(error.message)).toBe(`Почтовый сервер не принимает соединение: 127.0.0.1:${port}`);
});

test('why a record was not read is told in Russian; what is not known stays as it was written', () => {
  expect(russianSaying('lat: Invalid input: expected number, received string')).toBe('lat: нужно число');
  expect(russianSaying('lat: Too big: expected number to be <=90')).toBe('lat: нужно число <= 90');
  expect(russianSaying('No vehicle has the device 990001.')).toBe('Прибора 990001 нет ни у одной машины.');
  const wialon = sourceOf('server/telemetry/decoders/wialon-record.ts') + sourceOf('server/telemetry/decoders/wialon.ts');
  for (const [said, filled] of [['the CRC is wrong', 'the CRC is wrong'], ['the time ', 'the time 311299 250000 is none'], ['the coordinates ', 'the coordinates 9100 N are none']] as const) {
    expect(wialon).toContain(said);
    expect(russianSaying(filled)).toMatch(/^[А-Я]/);
  }
  expect(russianSaying('something else')).toBe('something else');
});
