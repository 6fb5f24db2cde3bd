import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Shifts (rules of server/dispatch/shifts). */
let station: TryStation;
let admin: string;
let dora: { id: number; token: string };
let stranger: { id: number; token: string };
let engine: number;
let ladder: number;
let driver: number;
const begun = Date.now() - 1_000;

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  dora = await station.newUser('dora', 'Dispatcher');
  const other = await station.ok('POST', '/organizations', { as: admin, body: { name: 'Other' } });
  stranger = await station.newUser('stranger', 'Dispatcher', { organizationId: other.id });
  driver = (await station.ok('POST', '/drivers', { as: admin, body: { fio: 'Sidorov' } })).id;
  const made = async (body: object) => (await station.ok('POST', '/cars', { as: admin, body })).id as number;
  engine = await made({ name: 'Engine 1', glonassId: 101, driverIds: [driver] });
  ladder = await made({ name: 'Ladder 1', glonassId: 102, onService: true });
});
afterAll(() => station.stop());

const ask = (method: string, path: string, body?: object, as = dora.token) => station.ask(method, path, { as, body });
const ok = (method: string, path: string, body?: object, as = dora.token) => station.ok(method, path, { as, body });
const refusal = async (method: string, path: string, body?: object, as = dora.token) => {
  const answered = await ask(method, path, body, as);
  return [answered.status, answered.headers.get('waypost-refusal')];
};
const current = () => ok('GET', '/shifts/current');

test('one key begins a shift with all vehicles that can work, each with its drivers (rule 6)', async () => {
  expect(await current()).toEqual({ shift: null, duties: [], pins: [] });
  const shift = await ok('POST', '/shifts', { name: 'Day' });
  expect(shift).toMatchObject({ name: 'Day', ended: null, begun: { name: 'dora' } });
  const { duties } = await current();
  expect(duties).toMatchObject([{ carId: engine, till: null }]);
  expect(await refusal('POST', '/shifts', { name: 'Day again' })).toEqual([409, 'shifts.running']);
});

test('a crew comes on duty and goes off, and the log-book tells it (rule 6)', async () => {
  const duty = await ok('POST', '/duties', { carId: ladder, driverIds: [driver], userIds: [dora.id] });
  expect(await refusal('POST', '/duties', { carId: ladder })).toEqual([409, 'shifts.onDutyAlready']);
  expect(await ok('PUT', `/duties/${duty.id}`, { name: 'Second ladder' })).toMatchObject({ driverIds: [driver] });
  await ok('POST', `/duties/${duty.id}/end`);
  expect(await refusal('PUT', `/duties/${duty.id}`, { name: 'x' })).toEqual([409, 'shifts.dutyEnded']);
  const lines = await ok('GET', `/log-book?from=${begun}&till=${Date.now() + 1}&car=${ladder}`);
  expect(lines.map(({ kind }: { kind: string }) => kind)).toEqual(['duty-begun', 'duty-ended']);
});

test('a roll call asks everybody again (rule 9)', async () => {
  const { shift, duties } = await current();
  const [{ id }] = duties;
  await ok('POST', `/shifts/${shift.id}/roll-call`);
  expect(await ok('POST', `/duties/${id}/roll`, { present: false })).toMatchObject({ roll: 'missing' });
  expect(await ok('POST', `/duties/${id}/roll`, { present: true })).toMatchObject({ roll: 'present' });
  await new Promise((resolve) => setTimeout(resolve, 2)); // two calls need two times
  await ok('POST', `/shifts/${shift.id}/roll-call`);
  expect((await current()).duties).toMatchObject([{ id, roll: null }]);
});

test('notes are pinned, ticked off and taken off', async () => {
  const pin = await ok('POST', '/pins', { text: 'Ring the pump workshop.', forNext: true });
  expect(await ok('POST', `/pins/${pin.id}/done`, { done: true })).toMatchObject({ done: { name: 'dora' } });
  expect(await ok('POST', `/pins/${pin.id}/done`, { done: false })).toMatchObject({ done: null });
  expect(await refusal('POST', '/pins', { text: 'x', till: begun })).toEqual([400, 'field.notAhead']);
  await ok('POST', '/pins', { text: 'Bridge closed.' });
  expect((await station.ask('DELETE', `/pins/${pin.id}`, { as: dora.token })).status).toBe(200);
  expect((await current()).pins).toMatchObject([{ text: 'Bridge closed.' }]);
});

test('another organization sees and changes nothing of it', async () => {
  const { shift, duties, pins } = await current();
  expect(await ok('GET', '/shifts', undefined, stranger.token)).toEqual([]);
  expect(await ok('GET', '/shifts/current', undefined, stranger.token)).toMatchObject({
    shift: null,
    duties: [],
    pins: [],
  });
  const paths = [`/shifts/${shift.id}/end`, `/shifts/${shift.id}/roll-call`, `/duties/${duties[0].id}/end`];
  for (const path of paths) expect((await ask('POST', path, {}, stranger.token)).status).toBe(404);
  expect((await ask('DELETE', `/pins/${pins[0].id}`, undefined, stranger.token)).status).toBe(404);
  expect((await ask('POST', '/duties', { carId: engine }, stranger.token)).status).toBe(404);
  expect((await ask('POST', '/duties', { name: 'x', driverIds: [driver] }, stranger.token)).status).toBe(400);
});

test('a shift is handed over, and the next one takes it over once (rules 7 and 8)', async () => {
  const { shift } = await current();
  expect(await refusal('POST', `/shifts/${shift.id}/accept`)).toEqual([409, 'shifts.running']);
  const ended = await ok('POST', `/shifts/${shift.id}/end`, { handover: '6 open tasks.' });
  expect(ended).toMatchObject({ handover: '6 open tasks.', ended: { name: 'dora' }, accepted: null });
  expect(await current()).toMatchObject({ shift: null, duties: [] });
  expect(await refusal('POST', `/shifts/${shift.id}/end`, {})).toEqual([409, 'shifts.ended']);
  const accepted = await ok('POST', `/shifts/${shift.id}/accept`, {}, admin);
  expect(await ok('POST', `/shifts/${shift.id}/accept`)).toEqual(accepted);
  const lines = await ok('GET', `/log-book?from=${begun}&till=${Date.now() + 1}`);
  const kinds = lines.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind.startsWith('shift'));
  expect(kinds).toEqual(['shift-begun', 'shift-ended', 'shift-taken-over']);
});

test('safety timers are set by administrators of the organization', async () => {
  expect(await ok('GET', '/shifts/settings')).toMatchObject({ safetyMinutes: 20 });
  expect((await ask('PUT', '/shifts/settings', { safetyMinutes: 5 })).status).toBe(403);
  expect((await ask('PUT', '/shifts/settings', { safetyMinutes: -1 }, admin)).status).toBe(400);
  await ok('PUT', '/shifts/settings', { safetyMinutes: 15 }, admin);
  expect(await ok('GET', '/shifts/settings')).toMatchObject({ safetyMinutes: 15 });
  expect((await ask('POST', `/cars/${engine}/heard`, {}, stranger.token)).status).toBe(404);
  expect(await ok('POST', `/cars/${engine}/heard`)).toMatchObject({ carId: engine });
});
