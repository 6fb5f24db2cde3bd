import { expect, test } from 'vitest';
import { useFleetDesk } from './fleet-desk.ts';

const desk = useFleetDesk();
const { ask, done, refusal } = desk;

test('sensors: input, calibration, versions; they are seen with their vehicle', async () => {
  const vehicle = await done('POST', '/cars', { name: 'Tank 1' });
  const sensor = await done('POST', '/sensors', {
    carId: vehicle.id,
    name: 'Fuel',
    type: 'fuel',
    unit: 'l',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [2.5, 40],
      [5, 70],
    ],
  });
  expect(sensor).toMatchObject({
    carId: vehicle.id,
    name: 'Fuel',
    type: 'fuel',
    unit: 'l',
    input: { kind: 'adc', index: 0 },
    inverted: false,
    calibration: [
      [0, 0],
      [2.5, 40],
      [5, 70],
    ],
    low: null,
    high: null,
    hysteresis: 0,
    debounce: null,
  });
  expect(
    (
      await done('PUT', `/sensors/${sensor.id}`, {
        calibration: [
          [0, 5],
          [5, 75],
        ],
      })
    ).calibration,
  ).toEqual([
    [0, 5],
    [5, 75],
  ]);
  expect((await done('GET', `/sensors/${sensor.id}/versions`)).length).toBe(2);
  expect((await done('GET', `/sensors?cars=${vehicle.id}`)).length).toBe(1);
  expect((await done('GET', '/sensors')).map(({ id }: { id: number }) => id)).toContain(sensor.id);
  expect((await refusal('PUT', `/sensors/${sensor.id}`, { carId: vehicle.id + 1 }))[1]).toMatch(/^carId cannot change/);
  expect((await done('PUT', `/sensors/${sensor.id}`, { carId: vehicle.id, unit: 'gal' })).unit).toBe('gal');
  const bit = (index: number) => ({
    carId: vehicle.id,
    name: 'Door',
    type: 'digital',
    input: { kind: 'input', index },
  });
  expect((await done('POST', '/sensors', bit(31))).input).toEqual({ kind: 'input', index: 31 });
  expect((await refusal('POST', '/sensors', bit(32)))[1]).toMatch(/^input\.index of a digital input/);
  expect(await done('GET', '/sensors', undefined, desk.roadsAdmin.token)).toEqual([]);
  expect((await ask('GET', `/sensors/${sensor.id}`, undefined, desk.roadsAdmin.token)).status).toBe(404);
  const base = { carId: vehicle.id, name: 'x', type: 'analog', input: { kind: 'adc', index: 0 } };
  for (const wrong of [
    { carId: 999 },
    { type: 'magic' },
    { input: { kind: 'input', index: 40 } },
    { input: { kind: 'param' } },
    { calibration: [[1, 1]] },
    {
      calibration: [
        [2, 1],
        [1, 2],
      ],
    },
    { low: 5, high: 1 },
    { hysteresis: -1 },
  ]) {
    expect((await refusal('POST', '/sensors', { ...base, ...wrong }))[0], JSON.stringify(wrong)).toBe(400);
  }
  // What one may not see does not exist in a body either: the answer is the one to a number that nobody has.
  const refused = (await refusal('POST', '/sensors', { ...base, carId: 999 }, desk.roadsAdmin.token))[1] as string;
  expect(await refusal('POST', '/sensors', base, desk.roadsAdmin.token)).toEqual([
    400,
    refused.replace('999', String(vehicle.id)),
  ]);
  expect((await ask('GET', `/sensors?cars=${vehicle.id}`)).json()).toHaveLength(2);
  const line = {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [0, 0.01],
    ],
  };
  const routed = (vehicleIds: number[]) =>
    refusal(
      'POST',
      '/routes',
      { name: 'x', line, organizationId: desk.home, carsIds: vehicleIds },
      desk.roadsAdmin.token,
    );
  expect((await routed([vehicle.id]))[0]).toBe((await routed([999]))[0]);
  const own = await done('POST', '/routes', { name: 'Own', line }, desk.roadsAdmin.token);
  const moved = (vehicleIds: number[]) =>
    refusal('PUT', `/routes/${own.id}`, { organizationId: desk.home, carsIds: vehicleIds }, desk.roadsAdmin.token);
  expect((await moved([vehicle.id]))[0]).toBe((await moved([999]))[0]);
  await done('DELETE', `/cars/${vehicle.id}`);
  expect((await ask('GET', `/sensors/${sensor.id}`)).status).toBe(404);
});
