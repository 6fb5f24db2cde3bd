import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
/** Ids by name. */
let kinds: Map<string, number>;
let types: Map<string, number>;
let ladder: number;
const vehicles = new Map<string, number>();
const PLACE = { lat: 47.14, lon: 9.52 };

const ok = (method: string, path: string, body?: unknown, as = admin) => at.ok(method, path, { as, body });
const refused = async (method: string, path: string, body: unknown, as = admin) => {
  const { status, text } = await at.ask(method, path, { as, body });
  return `${status} ${text}`;
};
const remove = (path: string) => at.ask('DELETE', path, { as: admin });
const idsByName = (entries: { id: number; name: string }[]) => new Map(entries.map(({ id, name }) => [name, id]));

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  kinds = idsByName(await ok('GET', '/vehicle-kinds'));
  const listed: { news_type_id: string; name: string }[] = (await ok('GET', '/newstype')).newstype;
  types = new Map(listed.map(({ news_type_id: id, name }) => [name, Number(id)]));
  ladder = (await ok('POST', '/capabilities', { name: 'Long ladder' })).id;
  for (const [name, kind, metres, capabilityIds] of [
    ['Lift 1', 'Aerial lift', 100],
    ['Engine 1', 'Fire engine', 2000],
    ['Engine 2', 'Fire engine', 3000, [ladder]],
    ['Medic 1', 'Ambulance', 1500],
  ] as const) {
    const { id, glonassId } = await ok('POST', '/cars', { name, kindId: kinds.get(kind), capabilityIds });
    vehicles.set(name, id);
    const lat = PLACE.lat + metres / 111_195;
    await ok('POST', '/telemetry', [{ glonassId, time: Date.now() - 2000, lat, lon: PLACE.lon, speed: 0 }]);
  }
});
afterAll(() => at.stop());

test('a new station has kinds and capabilities', async () => {
  expect([...kinds.keys()]).toEqual(expect.arrayContaining(['Fire engine', 'Ambulance', 'Gritter', 'Aerial lift']));
  expect(idsByName(await ok('GET', '/capabilities')).has('Defibrillator')).toBe(true);
});

test('kinds and capabilities stand on vehicles, filter them, and references must exist', async () => {
  const id = vehicles.get('Engine 2');
  const same = { kindId: kinds.get('Fire engine'), capabilityIds: [ladder] };
  expect(await ok('GET', `/cars/${id}`)).toMatchObject(same);
  const named = async (query: string) => (await ok('GET', `/cars?${query}`)).map(({ name }: { name: string }) => name);
  expect(await named(`kinds=${kinds.get('Fire engine')}`)).toEqual(['Engine 1', 'Engine 2']);
  expect(await named(`capabilities=${ladder}`)).toEqual(['Engine 2']);
  expect(await refused('PUT', `/cars/${id}`, { kindId: 999 })).toBe('400 kindId 999 does not exist.');
  expect(await refused('PUT', `/cars/${id}`, { capabilityIds: [999] })).toBe('400 capabilityIds 999 does not exist.');
  expect(await ok('PUT', `/cars/${id}`, { notes: 'n' })).toMatchObject(same);
  expect(await ok('PUT', `/cars/${id}`, { kindId: null })).toMatchObject({ kindId: null });
  await ok('PUT', `/cars/${id}`, same);
});

test('without a plan the first of the recommendations is proposed', async () => {
  expect(await ok('POST', '/proposals', PLACE)).toMatchObject({
    plan: null,
    units: [{ name: 'Lift 1', carName: 'Lift 1', rank: 1, available: true, time: null, arrivesAt: null }],
    short: [],
    others: [{ carName: 'Medic 1' }, { carName: 'Engine 1' }, { carName: 'Engine 2' }],
  });
});

test('a plan proposes its set, and nothing that it does not ask for comes first', async () => {
  const fire = types.get('Fire');
  const [engine, ambulance] = [kinds.get('Fire engine'), kinds.get('Ambulance')];
  const plan = await ok('POST', '/response-plans', {
    name: 'Fire',
    typeIds: [fire],
    needs: [
      { kindId: engine },
      { kindId: engine, capabilityIds: [ladder], role: 'ladder' },
      { kindId: ambulance, count: 2 },
    ],
  });
  expect(await ok('GET', `/response-plans/${plan.id}`)).toMatchObject({ organizationId: null, geozoneId: null });
  const { newsId } = await ok('POST', '/news/', {
    values: { title: 'Kitchen fire, children inside', news_type_id: fire },
    point: [PLACE.lon, PLACE.lat],
  });
  const proposal = await ok('GET', `/news/${newsId}/proposal`);
  expect(proposal).toMatchObject({
    plan: { id: plan.id, name: 'Fire', tell: [] },
    units: [{ name: 'Medic 1' }, { name: 'Engine 1', role: '' }, { name: 'Engine 2', role: 'ladder' }],
    short: [{ count: 1, kindId: ambulance, what: 'Ambulance', nearest: null, text: '1 Ambulance short' }],
    others: [
      { carName: 'Lift 1', available: false, reasonCodes: [{ code: 'not-in-plan' }, { code: 'no-road-times' }] },
    ],
  });
  expect(await ok('POST', '/proposals', { ...PLACE, news_type_id: fire })).toEqual(proposal);
  const order = async (path: string) => (await ok('GET', path)).map(({ carName }: { carName: string }) => carName);
  const expected = ['Medic 1', 'Engine 1', 'Engine 2', 'Lift 1'];
  expect(await order(`/news/${newsId}/recommendations`)).toEqual(expected);
  expect(await order(`/recommendations?lat=${PLACE.lat}&lon=${PLACE.lon}&news_type_id=${fire}`)).toEqual(expected);

  await ok('POST', `/news/${newsId}/update`, { assigned_car_id: vehicles.get('Medic 1') });
  const rest = await ok('GET', `/news/${newsId}/proposal`);
  expect(rest.units.map(({ name }: { name: string }) => name)).toEqual(['Engine 1', 'Engine 2']);
  await remove(`/response-plans/${plan.id}`);
});

test('what the caller’s answers need comes to the needs of the plan, and adds nothing where no plan applies', async () => {
  const engine = kinds.get('Fire engine');
  const needs = [{ kindId: engine, capabilityIds: [ladder], role: 'for the roof' }];
  expect(await ok('POST', '/proposals', { ...PLACE, needs })).toMatchObject({ plan: null, short: [] });
  const plan = await ok('POST', '/response-plans', { name: 'Any', needs: [{ kindId: engine }] });
  const { units } = await ok('POST', '/proposals', { ...PLACE, needs });
  expect(units).toMatchObject([
    { name: 'Engine 1', role: '' },
    { name: 'Engine 2', role: 'for the roof' },
  ]);
  await remove(`/response-plans/${plan.id}`);
  expect(await refused('POST', '/proposals', { ...PLACE, needs: [{ kindId: 'x' }] })).toMatch(/^400 /);
});

test('a district says that it is emptied of a kind', async () => {
  const zone = await ok('POST', '/geozones', {
    name: 'North',
    geometry: { type: 'Point', coordinates: [PLACE.lon, PLACE.lat] },
    radius: 2500,
    district: true,
  });
  expect(zone.district).toBe(true);
  const engine = { id: kinds.get('Fire engine'), name: 'Fire engine' };
  const plan = await ok('POST', '/response-plans', { name: 'Any', geozoneId: zone.id, needs: [{ kindId: engine.id }] });
  const { units, cover } = await ok('POST', '/proposals', PLACE);
  expect(units).toMatchObject([{ name: 'Engine 1' }]);
  expect(cover).toEqual([{ district: { id: zone.id, name: 'North' }, kind: engine }]);
  const outside = { lat: PLACE.lat + 0.5, lon: PLACE.lon };
  expect((await ok('POST', '/proposals', outside)).plan).toBeNull();
  await remove(`/response-plans/${plan.id}`);
});

test('plans and kinds are refused where a reference does not exist, nothing is asked for, or another may not', async () => {
  const { organizationId } = await ok('POST', '/organizations', { name: 'Roads' }).then(({ id }) => ({
    organizationId: id as number,
  }));
  await ok('POST', '/rights', { name: 'Local administrator', admin: true });
  const local = (await at.newUser('olga', 'Local administrator', { organizationId })).token;
  const needs = [{ kindId: kinds.get('Gritter') }];
  const make = (body: object, as = admin) => refused('POST', '/response-plans', { name: 'P', needs, ...body }, as);
  expect(await make({ needs: [] })).toBe('400 needs is missing.');
  expect(await make({ needs: [{ count: 1 }] })).toBe('400 needs.0.kindId is missing.');
  expect(await make({ needs: [{ kindId: kinds.get('Gritter'), count: 30 }, ...needs] })).toBe(
    '400 A plan asks for at most 30 vehicles.',
  );
  for (const unknown of [
    { typeIds: [999] },
    { categoryIds: [999] },
    { organizationId: 999 },
    { geozoneId: 999 },
    { tellOrganizationIds: [999] },
    { needs: [{ kindId: 999 }] },
    { needs: [{ capabilityIds: [999] }] },
  ])
    expect(await make(unknown), JSON.stringify(unknown)).toMatch(/^400 .* 999 does not exist/);
  expect(await make({ organizationId: null }, local)).toMatch(/^403 /);
  expect(await refused('POST', '/vehicle-kinds', { name: 'Boat' }, local)).toMatch(/^403 /);
  const own = await ok('POST', '/response-plans', { name: 'Ice', needs }, local);
  expect(own.organizationId).toBe(organizationId);
  const dispatcher = await at.newUser('anna', 'Dispatcher');
  expect((await at.ask('GET', `/response-plans/${own.id}`, { as: dispatcher.token })).status).toBe(404);
});

test('premise notes hold at their place until their end, for those who may read them', async () => {
  const note = { name: 'Gas bottles', subject: 'hazard', text: 'In the cellar' };
  const made = await ok('POST', '/premise-notes', { ...note, ...PLACE, radius: 100 });
  await ok('POST', '/premise-notes', { ...note, name: 'Over', ...PLACE, till: 1000 });
  const zone = await ok('POST', '/geozones', {
    name: 'Plant',
    geometry: { type: 'Point', coordinates: [PLACE.lon, PLACE.lat] },
    radius: 500,
  });
  const inZone = await ok('POST', '/premise-notes', {
    ...note,
    name: 'Gate code',
    subject: 'code',
    geozoneId: zone.id,
  });
  expect(inZone).toMatchObject({ lat: null, lon: null, geozoneId: zone.id });
  const namesAt = async (metres: number) => {
    const path = `/premise-notes?lat=${PLACE.lat + metres / 111_195}&lon=${PLACE.lon}`;
    return (await ok('GET', path)).map(({ name }: { name: string }) => name);
  };
  expect(await namesAt(99)).toEqual(['Gas bottles', 'Gate code']);
  expect(await namesAt(102)).toEqual(['Gate code']);
  expect(await namesAt(502)).toEqual([]);
  const { newsId } = await ok('POST', '/news/', {
    values: { title: 'Smoke', news_type_id: types.get('Fire') },
    point: [PLACE.lon, PLACE.lat],
  });
  expect(await ok('GET', `/news/${newsId}/premise-notes`)).toMatchObject([{ id: made.id }, { id: inZone.id }]);
  expect(await ok('PUT', `/premise-notes/${made.id}`, { geozoneId: zone.id })).toMatchObject({ lat: null });
  expect(await refused('POST', '/premise-notes', note)).toBe('400 lat is missing.');
  expect(await refused('POST', '/premise-notes', { ...note, lat: 1 })).toBe('400 lon is missing.');
  expect(await refused('POST', '/premise-notes', { ...note, ...PLACE, geozoneId: zone.id })).toMatch(
    /^400 .* not both\.$/,
  );
  expect(await refused('POST', '/premise-notes', { ...note, geozoneId: 999 })).toBe(
    '400 geozoneId 999 does not exist.',
  );
});
