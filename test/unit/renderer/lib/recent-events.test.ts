import { expect, test } from 'vitest';
import type { EventItem, EventUpdate } from '../../../../renderer/src/lib/api/types.ts';
import { RecentEvents } from '../../../../renderer/src/lib/live/recent-events.ts';

const [STOP, TURN] = [1, 3];
const event = (id: number, dataFrom: number, more: Partial<EventItem> = {}): EventItem => ({
  id,
  dataFrom,
  dataTill: null,
  eventId: STOP,
  info: '',
  glonassId: 7,
  carId: 7,
  carName: 'Van 7',
  carNo: '',
  gaugeId: null,
  gaugeInfo: null,
  reason: '',
  data: {},
  lat: 1,
  lon: 2,
  notifiable: false,
  ...more,
});
const gone = (id: number): EventUpdate => ({ id, eventId: STOP, withdrawn: true });
const ids = (events: RecentEvents) => events.list.map(({ id }) => id);

test('the newest is first, an event that ends keeps its place, one withdrawn is gone, and turns stay out', () => {
  const events = new RecentEvents();
  events.take([event(1, 100), event(2, 300), event(3, 200), event(4, 400, { eventId: TURN })]);
  expect(ids(events)).toEqual([2, 3, 1]);
  events.take([event(3, 200, { dataTill: 350 }), gone(1), gone(99)]);
  expect(ids(events)).toEqual([2, 3]);
  expect(events.get(3)!.dataTill).toBe(350);
});

test('of very many the oldest are dropped', () => {
  const events = new RecentEvents();
  events.take(Array.from({ length: 1_000 }, (_, index) => event(index, index)));
  expect([events.list.length, ids(events)[0], ids(events).at(-1), events.get(0)]).toEqual([400, 999, 600, undefined]);
});

test('after a disconnection the list is the station’s answer, with events received meanwhile before it', async () => {
  const events = new RecentEvents();
  events.take([event(1, 100), event(2, 200)]);
  await events.readAnew(async () => {
    events.take([event(2, 200, { dataTill: 250 }), gone(3), event(4, 400)]);
    return [event(2, 200), event(3, 300)]; // 1 was withdrawn unheard
  });
  expect(ids(events)).toEqual([4, 2]);
  expect(events.get(2)!.dataTill).toBe(250);
});

test('when the list cannot be read, what is known stays', async () => {
  const events = new RecentEvents();
  events.take([event(1, 100)]);
  await expect(events.readAnew(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
  expect(ids(events)).toEqual([1]);
});
