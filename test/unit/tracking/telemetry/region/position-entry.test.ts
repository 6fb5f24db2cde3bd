import { expect, test } from 'vitest';
import { packPositions, unpackPositions } from '../../../../../server/tracking/telemetry/region/position-entry.ts';

const there = (entry: Parameters<typeof packPositions>[0]) => unpackPositions(Buffer.from(packPositions(entry)));

test('records come back as they were, without a position too', () => {
  const entry = {
    kind: 'records',
    source: 'wialon',
    sender: '10.0.0.1',
    records: [
      { glonassId: 12, time: 1_000, lat: 35.5, lon: 14.5, params: { sos: true } },
      { glonassId: 12, time: 2_000, lat: NaN, lon: NaN },
    ],
  } as const;
  expect(there(entry)).toEqual(entry);
});

test('bytes that could not be read come back byte by byte', () => {
  const raw = Buffer.from([0, 255, 10, 13]);
  const faults = [{ reason: 'The checksum is wrong.', raw }];
  expect(there({ kind: 'faults', source: 'egts', sender: 'password', device: '12', faults })).toMatchObject({ faults });
});

test('what no gateway wrote is no entry', () => {
  for (const text of ['', '[]', '{"kind":"records"}', '{"kind":"other","source":"a","sender":"b"}', '\u0000'])
    expect(unpackPositions(Buffer.from(text)), text).toBeUndefined();
});
