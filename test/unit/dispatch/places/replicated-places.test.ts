import { expect, test } from 'vitest';
import type { Actor } from '../../../../shared/access.ts';
import { kindKeyOf } from '../../../../shared/ids.ts';
import type { MergeRecord } from '../../../../shared/records/index.ts';
import { OwnPlaces } from '../../../../server/dispatch/places/index.ts';
import type { Store } from '../../../../server/store/index.ts';
import { Scope } from '../../../../server/replication/sync/replication/scope/scope.ts';
import { MeetingStations } from '../../replication/sync/two-stations.ts';

const NORTH = 7;
const admin = (organizationId: number): Actor => ({
  user: { id: 1, organizationId } as Actor['user'],
  role: { admin: true, superuser: false, accesses: [] } as unknown as Actor['role'],
});
const gate = { name: 'Gate 4', sort: 'gate', otherNames: ['North gate'], point: { lat: 47, lon: 9 } } as const;

/** Works with the places of a station, as it has them then. */
const placesAt = <R>(stations: MeetingStations, number: number, work: (places: OwnPlaces, store: Store) => R) =>
  stations.at(number, async (store) => {
    const places = new OwnPlaces({ store, hasOrganization: () => true });
    try {
      return await work(places, store);
    } finally {
      places.close();
    }
  });
const labels = (stations: MeetingStations, number: number, query: string, of = NORTH) =>
  placesAt(stations, number, (places) => places.find(admin(of), query, 9).map(({ name }) => name));

test('a place that one station makes is found at the other one, by its organization alone', async () => {
  const stations = new MeetingStations();
  await placesAt(stations, 1, (places) => places.create(admin(NORTH), { ...gate, otherNames: [...gate.otherNames] }));
  expect(await labels(stations, 2, 'gate 4')).toEqual([]);
  await stations.meet();
  expect(await labels(stations, 2, 'gate 4')).toEqual(['Gate 4']);
  expect(await labels(stations, 2, 'gate 4', 8)).toEqual([]);
});

test('edits of two stations apart are both kept, of one field the later; an edit survives a deletion', async () => {
  const stations = new MeetingStations();
  const { id } = await placesAt(stations, 1, (places) =>
    places.create(admin(NORTH), { ...gate, otherNames: [...gate.otherNames] }),
  );
  await stations.meet();
  const change = (number: number, order: Parameters<OwnPlaces['change']>[2]) =>
    placesAt(stations, number, (places) => places.change(admin(NORTH), id, order));
  await change(1, { notes: 'Ring twice', otherNames: ['North gate', 'Old gate'] });
  await change(2, { accessCode: '4711', otherNames: ['North gate', 'Blue gate'] });
  await stations.meet();
  for (const number of [1, 2]) {
    const place = await placesAt(stations, number, (places) => places.get(admin(NORTH), id));
    expect(place).toMatchObject({ notes: 'Ring twice', accessCode: '4711' });
    expect(place.otherNames).toEqual(['North gate', 'Blue gate']);
    expect(await labels(stations, number, 'blue gate')).toEqual(['Blue gate']);
    expect(await labels(stations, number, 'old gate')).toEqual([]);
  }
  await placesAt(stations, 1, (places) => places.delete(admin(NORTH), id));
  await change(2, { notes: 'Ring three times' });
  await stations.meet();
  for (const number of [1, 2]) expect(await labels(stations, number, 'gate 4')).toEqual(['Gate 4']);
});

test('codes that two stations changed apart are settled like any field', async () => {
  const stations = new MeetingStations();
  const { id } = await placesAt(stations, 1, (places) => places.create(admin(NORTH), { ...gate, otherNames: [] }));
  await stations.meet();
  for (const number of [1, 2])
    await placesAt(stations, number, (places) => places.change(admin(NORTH), id, { accessCode: `code ${number}` }));
  await stations.meet();
  const lost = await stations.at(1, async (store) => store.records('merges').all() as readonly MergeRecord[]);
  expect(lost).toMatchObject([{ recordKey: kindKeyOf('ownPlace', id), field: 'accessCode' }]);
  expect((await placesAt(stations, 1, (places) => places.get(admin(NORTH), id))).accessCode).toBe('code 2');
});

test('a limited link carries the places of its organizations and those of the whole station', async () => {
  const stations = new MeetingStations();
  const carried = await placesAt(stations, 1, async (places, store) => {
    for (const [name, organizationId] of [
      ['Ours', NORTH],
      ['Theirs', 8],
    ] as const)
      await places.create(admin(organizationId), { ...gate, name, otherNames: [] });
    const superuser = { ...admin(NORTH), role: { ...admin(NORTH).role, superuser: true } };
    await places.create(superuser, { ...gate, name: 'Of all', organizationId: 0, otherNames: [] });
    const scope = new Scope(store, [NORTH]);
    return places.list(superuser).filter((place) => scope.carries('fleet', place));
  });
  expect(carried.map(({ name }) => name)).toEqual(['Ours', 'Of all']);
});
