import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { useFleetDesk } from './fleet-desk.ts';

const desk = useFleetDesk();
const { ask, done, refusal } = desk;

test('geozones: three shapes, and an edit keeps what was', async () => {
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [37, 55],
        [37.01, 55],
        [37.01, 55.01],
        [37, 55.01],
        [37, 55],
      ],
    ],
  };
  const depot = await done('POST', '/geozones', {
    name: 'Depot',
    geometry: square,
    speedLimit: 20,
    color: 'blue',
    validFrom: 1000,
  });
  expect(depot).toEqual({
    id: depot.id,
    name: 'Depot',
    shape: 'polygon',
    geometry: square,
    radius: null,
    width: null,
    speedLimit: 20,
    validFrom: 1000,
    organizationId: desk.home,
    notes: '',
    color: 'blue',
    view: true,
    district: false,
  });
  const circle = await done('POST', '/geozones', {
    name: 'School',
    geometry: { type: 'Point', coordinates: [37, 55] },
    radius: 300,
    organizationId: desk.roads.id,
  });
  expect(circle).toMatchObject({
    shape: 'circle',
    radius: 300,
    geometry: { type: 'Point', coordinates: [37, 55] },
    speedLimit: null,
  });
  expect(
    await done('POST', '/geozones', {
      name: 'M4',
      geometry: {
        type: 'LineString',
        coordinates: [
          [37, 55, 200],
          [38, 55],
        ],
      },
      width: 60,
    }),
  ).toMatchObject({
    shape: 'corridor',
    width: 60,
    geometry: {
      coordinates: [
        [37, 55],
        [38, 55],
      ],
    },
  });
  expect((await done('PUT', `/geozones/${circle.id}`, { radius: 500 }, desk.roadsAdmin.token)).radius).toBe(500);
  const before = Date.now();
  const changed = await done('PUT', `/geozones/${depot.id}`, { speedLimit: 30 });
  expect(changed).toMatchObject({ speedLimit: 30, geometry: square });
  expect(changed.validFrom).toBeGreaterThanOrEqual(before);
  await done('PUT', `/geozones/${depot.id}`, { notes: 'only a note' });
  expect(await done('GET', `/geozones/${depot.id}/versions`)).toMatchObject([
    { speedLimit: 20, validFrom: 1000, validTill: changed.validFrom },
    { speedLimit: 30, validFrom: changed.validFrom, validTill: null },
  ]);
  expect((await refusal('PUT', `/geozones/${depot.id}`, { speedLimit: 40, validFrom: 2000 }))[0]).toBe(400);
  expect((await done('GET', '/geozones?name=dep')).map(({ id }: { id: number }) => id)).toEqual([depot.id]);
  expect(
    (await done('GET', '/geozones', undefined, desk.roadsAdmin.token)).map(({ id }: { id: number }) => id),
  ).toEqual([circle.id]);
  expect((await ask('GET', `/geozones/${depot.id}`, undefined, desk.roadsAdmin.token)).status).toBe(404);
  expect((await refusal('POST', '/geozones', { name: 'x', geometry: square }, desk.dispatcher.token))[0]).toBe(403);
  for (const body of [
    { name: 'x' },
    { geometry: square },
    { name: 'x', geometry: { type: 'Point', coordinates: [37, 55] } },
    {
      name: 'x',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
    },
    {
      name: 'x',
      geometry: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
    },
    { name: 'x', geometry: { type: 'Point', coordinates: [370, 55] }, radius: 5 },
  ]) {
    expect((await refusal('POST', '/geozones', body))[0], JSON.stringify(body)).toBe(400);
  }
  await done('DELETE', `/geozones/${depot.id}`);
  expect((await ask('GET', `/geozones/${depot.id}`)).status).toBe(404);
});

test('planned routes: control points keep their ids, vehicles are the organisation’s', async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [37, 55],
      [37.1, 55.1],
    ],
  };
  const vehicle = await done('POST', '/cars', { name: 'Bus 1' });
  const foreign = await done('POST', '/cars', { name: 'Bus 2', organizationId: desk.roads.id });
  const planned = await done('POST', '/routes', {
    name: 'Line 5',
    line,
    carsIds: [vehicle.id],
    from: 1000,
    till: 9000,
    points: [
      { name: 'A', lat: 55, lon: 37 },
      { name: 'B', lat: 55.1, lon: 37.1, radius: 80, arriveAfter: 600 },
    ],
  });
  expect(planned).toMatchObject({
    name: 'Line 5',
    line,
    carsIds: [vehicle.id],
    from: 1000,
    till: 9000,
    corridor: null,
    points: [
      { id: 1, name: 'A', radius: 50, arriveAfter: null },
      { id: 2, name: 'B', radius: 80, arriveAfter: 600 },
    ],
  });
  const [a, b] = planned.points;
  const changed = await done('PUT', `/routes/${planned.id}`, { points: [b, { name: 'C', lat: 55.05, lon: 37.05 }] });
  expect(changed.points).toMatchObject([
    { id: b.id, name: 'B' },
    { id: 3, name: 'C' },
  ]);
  expect((await refusal('PUT', `/routes/${planned.id}`, { points: [a] }))[0]).toBe(400);
  expect((await refusal('PUT', `/routes/${planned.id}`, { points: [b, b] }))[1]).toMatch(/^points\[1\]\.id 2 .*twice/);
  expect(await refusal('PUT', `/routes/${planned.id}`, { organizationId: 999_999 })).toEqual([
    400,
    'The organisation 999999 does not exist.',
  ]);
  expect(await refusal('PUT', `/routes/${planned.id}`, { points: [b, { ...b, id: undefined, name: ' ' }] })).toEqual([
    400,
    'points[1].name is missing.',
  ]);
  expect((await done('PUT', `/routes/${planned.id}`, { points: [{ name: 'D', lat: 55, lon: 37 }] })).points[0].id).toBe(
    4,
  );
  expect(
    (await done('GET', `/routes/${planned.id}/versions`)).map(({ points }: { points: { name: string }[] }) =>
      points.map(({ name }) => name).join(''),
    ),
  ).toEqual(['AB', 'BC', 'D']);
  expect((await done('GET', `/routes?cars=${vehicle.id}`)).length).toBe(1);
  expect((await done('GET', `/routes?cars=${foreign.id}`)).length).toBe(0);
  expect((await refusal('PUT', `/routes/${planned.id}`, { carsIds: [foreign.id] }))[0]).toBe(400);
  expect((await refusal('PUT', `/routes/${planned.id}`, { till: 500 }))[0]).toBe(400);
  expect(
    (await refusal('POST', '/routes', { name: 'x', line: { type: 'LineString', coordinates: [[37, 55]] } }))[0],
  ).toBe(400);
  expect((await ask('GET', `/routes/${planned.id}`, undefined, desk.roadsAdmin.token)).status).toBe(404);
  await done('DELETE', `/routes/${planned.id}`);
  expect((await done('GET', '/routes')).length).toBe(0);
});

test('what is planned for later comes into force at its time; an edit of today neither waits for it nor takes it away', async () => {
  const later = Date.now() + 3_600_000;
  const school = await done('POST', '/geozones', {
    name: 'School',
    geometry: { type: 'Point', coordinates: [37, 55] },
    radius: 300,
    speedLimit: 30,
  });
  expect(
    await done('PUT', `/geozones/${school.id}`, { speedLimit: 20, name: 'Closed school', validFrom: later }),
  ).toMatchObject({ name: 'School', speedLimit: 30, validFrom: school.validFrom });
  const before = Date.now();
  const widened = await done('PUT', `/geozones/${school.id}`, { radius: 500 });
  expect(widened).toMatchObject({ name: 'School', radius: 500, speedLimit: 30 });
  expect([widened.validFrom >= before, widened.validFrom <= Date.now()]).toEqual([true, true]);
  expect(await done('GET', `/geozones/${school.id}/versions`)).toMatchObject([
    { radius: 300, speedLimit: 30, validTill: widened.validFrom },
    { radius: 500, speedLimit: 30, validFrom: widened.validFrom, validTill: later },
    { name: 'Closed school', radius: 500, speedLimit: 20, validFrom: later, validTill: null },
  ]);
  // with that of another test
  expect([
    (await done('GET', '/geozones?name=closed')).length,
    (await done('GET', '/geozones?name=school')).length,
  ]).toEqual([0, 2]);
  await done('PUT', `/geozones/${school.id}`, { speedLimit: 30, name: 'School', validFrom: later });
  expect(
    (await done('GET', `/geozones/${school.id}/versions`)).map(({ validTill }: { validTill: number }) => validTill),
  ).toEqual([widened.validFrom, null]);
  const soon = Date.now() + 700;
  await done('PUT', `/geozones/${school.id}`, { speedLimit: 10, name: 'Play street', validFrom: soon });
  await eventually(async () =>
    expect(await done('GET', `/geozones/${school.id}`)).toMatchObject({
      name: 'Play street',
      speedLimit: 10,
      validFrom: soon,
    }),
  );
  expect((await done('GET', '/geozones?name=play')).map(({ id }: { id: number }) => id)).toEqual([school.id]);
  await done('DELETE', `/geozones/${school.id}`);
});

test('planned routes and sensors to come: shown as they are now, corrected before they begin, their vehicles those of then', async () => {
  const later = Date.now() + 3_600_000;
  const line = {
    type: 'LineString',
    coordinates: [
      [37, 55],
      [37.1, 55.1],
    ],
  };
  const [bus, van] = [await done('POST', '/cars', { name: 'Bus 7' }), await done('POST', '/cars', { name: 'Van 7' })];
  const route = await done('POST', '/routes', {
    name: 'Line 7',
    line,
    carsIds: [bus.id],
    points: [{ name: 'A', lat: 55, lon: 37 }],
  });
  expect(await done('PUT', `/routes/${route.id}`, { carsIds: [van.id], from: later, validFrom: later })).toMatchObject({
    carsIds: [bus.id],
    from: null,
  });
  const listed = async (vehicle: { id: number }) => (await done('GET', `/routes?cars=${vehicle.id}`)).length;
  expect([await listed(bus), await listed(van)]).toEqual([1, 0]);
  // then it would be
  expect((await refusal('PUT', `/routes/${route.id}`, { till: later }))[1]).toBe('till must be later than from.');
  expect(
    await done('PUT', `/routes/${route.id}`, { points: [...route.points, { name: 'B', lat: 55.1, lon: 37.1 }] }),
  ).toMatchObject({ carsIds: [bus.id] });
  expect(
    (await done('GET', `/routes/${route.id}/versions`)).map(
      ({ carsIds: vehicleIds, points }: { carsIds: number[]; points: { id: number }[] }) => [
        vehicleIds,
        points.map(({ id }) => id),
      ],
    ),
  ).toEqual([
    [[bus.id], [1]],
    [[bus.id], [1, 2]],
    [[van.id], [1, 2]],
  ]);

  const tank = await done('POST', '/sensors', {
    carId: bus.id,
    name: 'Tank',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    low: 5,
    validFrom: later,
  });
  expect(await done('PUT', `/sensors/${tank.id}`, { low: 8 })).toMatchObject({ low: 8, validFrom: later });
  expect((await done('GET', `/sensors/${tank.id}/versions`)).length).toBe(1);
  expect((await refusal('PUT', `/sensors/${tank.id}`, { low: 9, validFrom: 1000 }))[1]).toBe(
    'validFrom is in the past, but the changed version has not begun yet.',
  );
  await done('PUT', `/sensors/${tank.id}`, { high: 50, validFrom: later + 1000 });
  // of the second one
  expect(await refusal('PUT', `/sensors/${tank.id}`, { low: 60 })).toEqual([400, 'high must be greater than low.']);
  expect(await done('GET', `/sensors/${tank.id}`)).toMatchObject({
    low: 8,
    high: null,
    planned: [
      { low: 8, high: null, validFrom: later },
      { low: 8, high: 50, validFrom: later + 1000 },
    ],
  });
  // A plan that leaves a point out is taken away again by what held before, with that point.
  const before = await done('GET', `/routes/${route.id}`);
  await done('PUT', `/routes/${route.id}`, { points: [], validFrom: later + 5000 });
  await done('PUT', `/routes/${route.id}`, { points: before.points, validFrom: later + 5000 });
  expect(
    (await done('GET', `/routes/${route.id}/versions`)).map(({ validFrom }: { validFrom: number }) => validFrom),
  ).not.toContain(later + 5000);
  await done('DELETE', `/routes/${route.id}`);
});
