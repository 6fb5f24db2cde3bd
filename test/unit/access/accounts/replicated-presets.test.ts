import { expect, test } from 'vitest';
import { Presets } from '../../../../server/access/accounts/presets.ts';
import { Scope } from '../../../../server/replication/sync/replication/scope/scope.ts';
import type { Actor } from '../../../../shared/access.ts';
import { MeetingStations } from '../../replication/sync/two-stations.ts';

const person = (id: number) =>
  ({
    user: { id, organizationId: 1 },
    role: { admin: false, superuser: false, accesses: [{ id: 1, capability: 'presets', stateIds: null }] },
  }) as unknown as Actor;
const [ANNA, BORIS] = [person(1), person(2)];

test('a preset that is shared at one station is found at the other, changes there and is withdrawn', async () => {
  const stations = new MeetingStations();
  let now = 1_000;
  const at = <R>(number: number, work: (presets: Presets) => R | Promise<R>) =>
    stations.at(number, async (store) => work(new Presets(store, () => now++)));
  const seen = (number: number) =>
    at(number, (presets) => presets.list(BORIS).map(({ name, content, ownerId }) => [name, content, ownerId]));
  const { id } = await at(1, (presets) => presets.share(ANNA, { name: 'Night', use: 'layout', content: '{"a":1}' }));
  await stations.meet();
  expect(await seen(2)).toEqual([['Night', '{"a":1}', 1]]);

  // The owner renames it where they are, and arranges it again at the other station.
  await at(1, (presets) => presets.change(ANNA, id, { name: 'Nights' }));
  await at(2, (presets) => presets.change(ANNA, id, { content: '{"a":2}' }));
  await stations.meet();
  const both = [['Nights', '{"a":2}', 1]];
  expect([await seen(1), await seen(2)]).toEqual([both, both]);
  expect(await stations.at(1, async (store) => store.records('merges').all().length)).toBe(0);

  await at(2, (presets) => presets.delete(ANNA, id));
  await stations.meet();
  expect([await seen(1), await seen(2)]).toEqual([[], []]);
});

test('a change is later than the one before, though the clock was set back', async () => {
  const stations = new MeetingStations(1);
  await stations.at(1, async (store) => {
    let now = 5_000;
    const presets = new Presets(store, () => now);
    const { id } = await presets.share(ANNA, { name: 'Night', use: 'layout', content: '{}' });
    now = 1_000;
    expect((await presets.change(ANNA, id, { name: 'Later' })).changedAt).toBe(5_001);
  });
});

test('a link that is limited to organizations carries what is shared in them and with all', async () => {
  const stations = new MeetingStations(1);
  await stations.at(1, async (store) => {
    const scope = new Scope(store, [1]);
    const preset = { kind: 'preset', use: 'view', name: 'Mine' };
    expect([0, 1, 2].map((organizationId) => scope.carries('accounts', { ...preset, organizationId }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(scope.carries('accounts', { kind: 'user', organizationId: 0 })).toBe(false);
  });
});
