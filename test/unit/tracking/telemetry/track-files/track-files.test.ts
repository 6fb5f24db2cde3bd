import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTelemetry } from '../../../../../server/tracking/telemetry/index.ts';
import {
  NUMBERS_OF_POINT,
  readTrackFile,
} from '../../../../../server/tracking/telemetry/track-files/read-track-file.ts';

const NOON = Date.UTC(2026, 5, 1, 12);

test('a file is of its vehicle, also when another one has the same device number', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-track-files-'));
  const telemetry = openTelemetry({
    directory,
    now: () => NOON + 3_600_000,
    findVehicle: ({ glonassId }) => (glonassId === 107 ? { id: 8 } : undefined),
    publish: () => undefined,
  });
  onTestFinished(async () => {
    await telemetry.close();
    rmSync(directory, { recursive: true });
  });
  const file = Buffer.from(`time,lat,lon\n${NOON},47.1,9.5\n${NOON + 1_000},99,9.5\n`);
  const taken = await telemetry.files.take({ id: 7, glonassId: 107 }, file, 'test');
  expect(taken).toEqual({ points: 2, accepted: 1, duplicates: 0, quarantined: 1 });
  const pointsOf = async (vehicle: number) => {
    let text = '';
    const range = { from: NOON, until: NOON + 10_000 };
    for await (const piece of telemetry.read({ kind: 'track', vehicle, ...range })) text += String(piece);
    return (JSON.parse(text) as unknown[]).length;
  };
  expect([await pointsOf(7), await pointsOf(8)]).toEqual([1, 0]);
});

test.each(['', ' '])('a point of GPX with the latitude “%s” is left out, and does not lie on the equator', (lat) => {
  const point = (text: string) => `<trkpt lat="${text}" lon="9.5"><time>2026-06-01T12:00:00Z</time></trkpt>`;
  const read = readTrackFile(Buffer.from(`<gpx><trk><trkseg>${point(lat)}${point('47.1')}</trkseg></trk></gpx>`));
  expect([read.length / NUMBERS_OF_POINT, read[1]]).toEqual([1, 47.1]);
});
