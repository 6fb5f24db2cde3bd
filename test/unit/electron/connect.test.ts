import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addressesOf } from '../../../electron/connect/addresses.ts';
import {
  ConnectionMemory,
  firstChoice,
  readConsoleFile,
  stationWords,
  withoutConnectWords,
} from '../../../electron/connect/console-settings.ts';
import { asChromiumWrites, fromChromium, readFingerprint } from '../../../electron/fingerprint.ts';
import { probeStation, relationOf } from '../../../electron/connect/probe.ts';
import { readRequest } from '../../../electron/connect/states.ts';
import { dataDirectory, machineFolder } from '../../../electron/data-directory.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-console-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FINGERPRINT = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0').toUpperCase()).join(':');

test.each([
  ['station.example', ['https://station.example:8443', 'https://station.example']],
  [' 10.0.0.5 ', ['https://10.0.0.5:8443', 'https://10.0.0.5']],
  ['10.0.0.5:9443', ['https://10.0.0.5:9443']],
  ['station.example:443', ['https://station.example']],
  ['https://station.example/#/map', ['https://station.example']],
  ['[fe80::1]:8443', ['https://[fe80::1]:8443']],
  ['http://127.0.0.1:8480', ['http://127.0.0.1:8480']],
  ['http://station.example', 'plain'],
  ['http://127.0.0.1.evil.example', 'plain'],
  ['https://user:secret@station.example', 'wrong'],
  ['file:///etc/passwd', 'wrong'],
  ['', 'wrong'],
  ['a b', 'wrong'],
])('the address %j means %j', (typed, addresses) => {
  expect(addressesOf(typed)).toEqual(addresses);
});

test('a fingerprint is read as people write it, and compared as Chromium writes it', () => {
  expect(readFingerprint(FINGERPRINT.replaceAll(':', ' ').toLowerCase())).toBe(FINGERPRINT);
  expect(readFingerprint(FINGERPRINT.slice(3))).toBe(undefined);
  expect(fromChromium(asChromiumWrites(FINGERPRINT))).toBe(FINGERPRINT);
  expect(asChromiumWrites(FINGERPRINT)).toBe('sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
});

test('anything that a page may send is read as a request or as nothing', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const request = readRequest(value);
      expect(request === undefined || typeof request.ask === 'string').toBe(true);
    }),
  );
  expect(readRequest({ ask: 'station', address: 'a'.repeat(301) })).toBe(undefined);
  expect(readRequest({ ask: 'here', more: 1 })).toEqual({ ask: 'here' });
});

test.each([
  ['1.2.9', 'same'],
  ['1.1.0', 'older'],
  ['1.3.0', 'newer'],
  ['2.0.0', 'newer'],
  ['0.9.9', 'older'],
])('a station of version %s is %s beside a program of 1.2.3', (version, relation) => {
  expect(relationOf(version, '1.2.3')).toBe(relation);
});

test('a console.json is read with the mark of Windows’ editor; what is wrong in it is named', () => {
  const file = join(folder, 'console.json');
  const read = (value: unknown) => {
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return readConsoleFile(file);
  };
  const address = 'https://station.example';
  expect(read(`\uFEFF${JSON.stringify({ address })}`)).toEqual({ address });
  expect(read({ address, fingerprint: FINGERPRINT.toLowerCase(), fixed: true, language: 'ru' })).toEqual({
    address,
    fingerprint: FINGERPRINT,
    fixed: true,
    language: 'ru',
  });
  expect(() => read('{')).toThrow('It is not valid JSON.');
  expect(() => read({ address: 'http://station.example' })).toThrow('address: must be the https address');
  expect(() => read({ address, fingerprint: '12' })).toThrow('fingerprint: must be a SHA-256 fingerprint');
  expect(() => read({ address, colour: 'red' })).toThrow('colour');
  expect(readConsoleFile(join(folder, 'none.json'))).toBe(undefined);
});

test('what is decided first holds: words, a fixed file, the person, a file, data of a station', () => {
  const machine = join(folder, 'machine.json');
  const user = join(folder, 'user.json');
  const memoryFile = join(folder, 'memory.json');
  const choice = (words: string[], { hasData = false, fixed = false, files = true, chosen = false } = {}) => {
    rmSync(memoryFile, { force: true });
    const memory = new ConnectionMemory(memoryFile);
    if (chosen) memory.choose({ kind: 'station', address: 'https://chosen.example' });
    writeFileSync(machine, JSON.stringify({ address: 'machine.example', fixed }));
    writeFileSync(user, JSON.stringify({ address: 'user.example' }));
    const found = firstChoice({ words, memory, files: files ? [machine, user] : [], hasData });
    const { choice: first } = found;
    return [first?.kind === 'station' ? first.address : first?.kind, found.mayChoose];
  };
  expect(choice(['--connect', 'words.example'], { fixed: true })).toEqual(['words.example', true]);
  expect(choice(['--demo'], { chosen: true })).toEqual(['here', true]);
  expect(choice(['--no-sandbox'], { fixed: true, chosen: true })).toEqual(['machine.example', false]);
  expect(choice([], { chosen: true })).toEqual(['https://chosen.example', true]);
  expect(choice([], { hasData: true })).toEqual(['user.example', true]);
  expect(choice([], { hasData: true, files: false })).toEqual(['here', true]);
  expect(choice([], { files: false })).toEqual([undefined, true]);
});

test('words for the connection are not words for the station', () => {
  const words = ['--connect', 'a.example', '--fingerprint=AA', '--no-sandbox', '--enable-logging=x', '--port', '1'];
  expect(stationWords(words)).toEqual(['--port', '1']);
  expect(withoutConnectWords(words)).toEqual(['--no-sandbox', '--enable-logging=x', '--port', '1']);
});

test('a damaged memory counts as none; a confirmed fingerprint stays', () => {
  const file = join(folder, 'connection.json');
  writeFileSync(file, '{"pins": 7, "choice": {"kind": "moon"}}');
  const memory = new ConnectionMemory(file);
  expect(memory.choice).toBe(undefined);
  memory.pin('https://a.example', FINGERPRINT);
  expect(new ConnectionMemory(file).pinOf('https://a.example')).toBe(FINGERPRINT);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pins: { 'https://a.example': FINGERPRINT } });
});

test('data lies with the user, and for all users of a Windows machine where the installer made room', () => {
  const windows = { ProgramData: 'C:\\ProgramData' };
  expect(dataDirectory('linux', windows, '/home/a', () => true)).toBe(join('/home/a', 'station'));
  expect(dataDirectory('win32', windows, 'U', () => false)).toBe(join('U', 'station'));
  expect(dataDirectory('win32', windows, 'U', () => true)).toBe(join('C:\\ProgramData', 'Waypost', 'station'));
  expect(machineFolder('linux', {})).toBe('/etc/waypost');
});

async function answering(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('addresses without a station are distinguished: silence, plain HTTP, another program, an endless answer', async () => {
  const silent = createServer();
  const other = createHttp((_request, response) => response.end('<h1>printer</h1>'));
  const endless = createHttp((_request, response) => {
    const more = (): void => void response.write('x'.repeat(10_000), more);
    more();
  });
  const code = async (address: string) => {
    const answer = await probeStation(address, { patience: 300 });
    return answer.kind === 'problem' ? answer.problem.code : answer.kind;
  };
  try {
    expect(await code(`https://${await answering(silent)}`)).toBe('no-answer');
    expect(await code(`http://${await answering(other)}`)).toBe('no-station');
    expect(await code(`https://127.0.0.1:${(other.address() as AddressInfo).port}`)).toBe('no-tls');
    expect(await code(`http://${await answering(endless)}`)).toBe('no-station');
    expect(await code('https://127.0.0.1:1')).toBe('refused');
    expect(await code('https://nowhere.invalid')).toMatch(/unknown-host|no-way/);
  } finally {
    for (const server of [silent, other, endless]) server.close();
    for (const server of [other, endless]) server.closeAllConnections();
  }
});
