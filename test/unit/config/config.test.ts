import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeSettings, readConfig, SETTINGS } from '../../../server/config/index.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'waypost-config-'));
});
afterEach(() => rmSync(data, { recursive: true }));

test('flags come before the environment, that before station.json, that before the default', () => {
  const file = (settings: object) => writeFileSync(join(data, 'station.json'), JSON.stringify(settings));
  const port = (words: string[], environment: NodeJS.ProcessEnv = {}) =>
    readConfig([...words, '--data', data], environment).port;
  expect(port([])).toBe(8480);
  file({ port: 1 });
  expect(port([])).toBe(1);
  expect(port([], { WAYPOST_PORT: '2' })).toBe(2);
  expect(port(['--port', '3'], { WAYPOST_PORT: '2' })).toBe(3);
  expect(port([], { WAYPOST_PORT: '' })).toBe(1);
});

test('the data directory is known before its station.json is read', () => {
  writeFileSync(join(data, 'station.json'), '{"name":"East"}');
  expect(readConfig([], { WAYPOST_DATA: data })).toMatchObject({ name: 'East', data });
});

test('a fault is one sentence that names the setting', () => {
  const wrong =
    (words: string[], environment: NodeJS.ProcessEnv = {}) =>
    () =>
      readConfig([...words, '--data', data], environment);
  expect(wrong(['--port', 'x'])).toThrow('--port is "x"');
  expect(wrong(['--port', '65536'])).toThrow('--port is 65536');
  expect(wrong([], { WAYPOST_PORT: '-1' })).toThrow('WAYPOST_PORT is -1');
  expect(wrong([], { WAYPOST_SMTP_URL: 'http://x' })).toThrow('WAYPOST_SMTP_URL');
  expect(wrong([], { WAYPOST_ROUTER_ANONYMOUS: 'maybe' })).toThrow('WAYPOST_ROUTER_ANONYMOUS');
  expect(wrong(['--nonsense'])).toThrow('--nonsense');
  expect(wrong(['stray'])).toThrow('stray');
  writeFileSync(join(data, 'station.json'), '{"prot": 1}');
  expect(wrong([])).toThrow('station.json names a setting that does not exist: prot.');
  writeFileSync(join(data, 'station.json'), '[');
  expect(wrong([])).toThrow('station.json is not valid JSON');
  writeFileSync(join(data, 'station.json'), '{"port": "8480"}');
  expect(wrong([])).toThrow('port in station.json is "8480"');
});

test('a secret comes from a file that a vault, or systemd, hands over', () => {
  const url = (environment: NodeJS.ProcessEnv) => readConfig(['--data', data], environment).smtpUrl;
  const file = join(data, 'WAYPOST_SMTP_URL');
  writeFileSync(file, 'smtps://mail.example\n');
  expect(url({ WAYPOST_SMTP_URL_FILE: file })).toBe('smtps://mail.example');
  expect(url({ CREDENTIALS_DIRECTORY: data })).toBe('smtps://mail.example');
  expect(url({ CREDENTIALS_DIRECTORY: data, WAYPOST_SMTP_URL: 'smtp://set' })).toBe('smtp://set');
  expect(url({ CREDENTIALS_DIRECTORY: join(data, 'none') })).toBeNull();
  expect(() => url({ WAYPOST_SMTP_URL_FILE: file, WAYPOST_SMTP_URL: 'smtp://set' })).toThrow('not both');
  expect(() => url({ WAYPOST_SMTP_URL_FILE: join(data, 'none') })).toThrow('The file of WAYPOST_SMTP_URL');
  writeFileSync(file, 'http://x');
  expect(() => url({ WAYPOST_SMTP_URL_FILE: file })).toThrow('WAYPOST_SMTP_URL');
});

test('words of the environment become what they stand for', () => {
  expect(
    readConfig(['--data', data, '--demo', '--router-port', '5000'], {
      WAYPOST_ROUTER_ANONYMOUS: 'false',
      WAYPOST_WIALON_PORT: '20332',
      WAYPOST_OSMAND_PORT: 'off',
      WAYPOST_ADMIN_PASSWORD: '12345678',
    }),
  ).toMatchObject({
    'demo': true,
    'routerPort': 5000,
    'router.anonymous': false,
    'wialonPort': 20332,
    'osmandPort': null,
    'adminPassword': '12345678',
  });
  expect(readConfig(['--data', data], {})['telemetry.futureLimit']).toBe(300);
  expect(readConfig(['--data', data], { WAYPOST_FUTURE_LIMIT: '0' })['telemetry.futureLimit']).toBe(0);
  expect(readConfig(['--data', data], { WAYPOST_QUARANTINE_LIMIT: '5' })['telemetry.quarantineLimit']).toBe(5);
  expect(readConfig(['--data', data], {})['closures.wideLimit']).toBe(20);
  expect(readConfig(['--data', data], { WAYPOST_CLOSURES_WIDE_LIMIT: '7.5' })['closures.wideLimit']).toBe(7.5);
  expect(readConfig(['--data', data], { WAYPOST_CITIZENS_TYPES: '3' })['citizens.types']).toEqual([3]);
  expect(readConfig(['--data', data], { WAYPOST_CITIZENS_TYPES: '3, 14' })['citizens.types']).toEqual([3, 14]);
  expect(() => readConfig(['--data', data], { WAYPOST_CITIZENS_TYPES: '3,x' })).toThrow('WAYPOST_CITIZENS_TYPES');
  expect(() => readConfig(['--data', data], { WAYPOST_FUTURE_LIMIT: '-1' })).toThrow('WAYPOST_FUTURE_LIMIT is -1');
  expect(readConfig(['--data', data], { WAYPOST_DEMO_SPEED: '0.5' }).demoSpeed).toBe(0.5);
});

test('the help names every setting and every variable', () => {
  const help = describeSettings();
  for (const [name, setting] of Object.entries(SETTINGS)) {
    expect(help).toContain(name);
    if ('environment' in setting) expect(help).toContain(setting.environment);
    if ('flag' in setting) expect(help).toContain(`--${setting.flag}`);
    expect(help).toContain(setting.reason);
  }
});
