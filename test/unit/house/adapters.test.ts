import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DECODERS } from '../../../server/tracking/telemetry/decoders/index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Words of the manual's rows about adapters, by the file or the decoder that reads or writes them. */
const ROWS: Readonly<Record<string, string>> = {
  'decoders/wialon': 'Wialon IPS',
  'decoders/teltonika': 'Teltonika',
  'decoders/egts': 'EGTS',
  'decoders/osmand': 'OsmAnd',
  'decoders/nmea': 'NMEA 0183',
  'decoders/retranslator': 'Wialon Retranslator',
  'decoders/aprs': 'APRS',
  'tracking/telemetry/forwarded/traccar': 'Traccar',
  'tracking/telemetry/forwarded/owntracks': 'OwnTracks',
  'tracking/telemetry/forwarded/gpslogger': 'GPSLogger',
  'tracking/telemetry/forwarded/meshtastic': 'Meshtastic',
  'exchange/imports/reading/xlsx': 'Office Open XML',
  'exchange/imports/reading/csv': 'CSV',
  'exchange/imports/reading/geojson': 'GeoJSON',
  'exchange/imports/reading/kml': 'KML',
  'exchange/imports/reading/gpx': 'GPX',
  'exchange/warnings/reading/cap': 'CAP 1.2',
  'exchange/warnings/reading/datex': 'DATEX II',
  'exchange/warnings/reading/entries': 'GeoRSS',
  'tracking/devices/traccar-relay': '/api/commands/send',
  'exchange/sms/http-gateway': 'SMS Gateway for Android',
  'exchange/sms/smpp/smpp-gateway': 'SMPP',
};
/** Rooms of which every adapter is a file, and the files there that are none. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'tracking/telemetry/forwarded': ['forwarded-record', 'index'],
};
/** Standards whose room is all that there is of them. */
const ROOMS = [
  ...['OpenAPI 3.1', 'Standard Webhooks', 'MQTT 5', 'NATS', 'OGC API Features', 'OData', 'CSV (RFC 4180)', 'Open311'],
  ...['iCalendar', 'GeoRSS', 'CAP 1.2 in Atom', 'NENA-STA-021.1', 'Server-sent events', 'IMAP4rev1', 'SMTP'],
  ...['Asterisk Manager Interface', 'AsyncAPI 3.0'],
];

interface Row {
  readonly place: string;
  readonly text: string;
  readonly tests: readonly string[];
}

/** Rows of the tables that say against what an adapter was tried. */
function rowsOf(language: string): Row[] {
  const folder = join(ROOT, 'resources/manual', language);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) => {
      const tables = readFileSync(join(folder, name), 'utf8').match(/(?:^\|.*\n)+/gm) ?? [];
      return tables
        .map((table) => table.trim().split('\n'))
        .filter(([head]) => /\| (Tried against|С чем проверено|Test|Проверка) \|$/.test(head!))
        .flatMap((lines) => lines.slice(2))
        .map((text) => ({ place: `${language}/${name}: ${text.slice(0, 60)}`, text, tests: testsIn(text) }));
    });
}

/** Names of tests, such as `fleet/broker`, in the last cell. */
function testsIn(row: string): string[] {
  const last = row.split(' | ').at(-1)!;
  return [...last.matchAll(/`([a-z0-9-]+(?:\/[a-z0-9-]+)+)`/g)].map(([, name]) => name!);
}

const TESTS = globSync('test/**/*.test.ts', { cwd: ROOT });
const isTest = (name: string) =>
  existsSync(join(ROOT, 'test', name)) || TESTS.some((file) => file.endsWith(`/${name}.test.ts`));
const english = rowsOf('en');

test('each row of the manual about an adapter names a test that is there', () => {
  expect(english.length).toBeGreaterThan(30);
  for (const language of ['en', 'ru'])
    expect(rowsOf(language).filter(({ tests }) => tests.length === 0 || !tests.every(isTest))).toEqual([]);
});

test('both languages have the same rows', () => {
  const tests = (language: string) => rowsOf(language).map((row) => row.tests.join());
  expect(tests('ru')).toEqual(tests('en'));
});

test('each adapter has a row', () => {
  const files = Object.entries(FOLDERS).flatMap(([folder, others]) =>
    readdirSync(join(ROOT, 'server', folder))
      .map((name) => name.replace(/\.ts$/, ''))
      .filter((name) => !others.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  const adapters = [...DECODERS.map(({ name }) => `decoders/${name}`), ...files];
  expect(adapters.filter((adapter) => !(adapter in ROWS))).toEqual([]);
  const gone = Object.keys(ROWS).filter(
    (adapter) => !adapter.startsWith('decoders/') && !existsSync(join(ROOT, 'server', `${adapter}.ts`)),
  );
  expect(gone).toEqual([]);
  const words = [...Object.values(ROWS), ...ROOMS];
  expect(words.filter((word) => !english.some(({ text }) => text.includes(word)))).toEqual([]);
});
