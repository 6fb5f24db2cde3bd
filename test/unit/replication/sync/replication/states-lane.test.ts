import { expect, test } from 'vitest';
import { unknownState, type LastState } from '../../../../../shared/fleet/last-state.ts';
import { LastStates } from '../../../../../server/dispatch/fleet/last-states.ts';
import { eventually } from '../../../../support/eventually.ts';
import { temporaryStore } from '../../../store/open-store.ts';
import { Peer, replicationOf } from './peer.ts';

function fix(id: number, time: number, over: Partial<LastState> = {}): LastState {
  return { ...unknownState(id), time, storedAt: time, lat: 1, lon: 2, ...over };
}

async function opened() {
  const store = await temporaryStore({ stationNumber: 1 });
  const states = new LastStates(store.records('vehicleStates'));
  const peer = new Peer();
  const told: LastState[][] = [];
  peer.answer('states', ({ states: came }: { states: LastState[] }) => {
    told.push(came);
    return { body: {} };
  });
  replicationOf(store, { states }).attach(peer.channel);
  await eventually(() => expect(peer.told.some(({ kind }) => kind === 'states.begin')).toBe(true));
  return { states, peer, told };
}

test('[sync 70] states are sent when the other station has the vehicles, then what changed, the latest of each', async () => {
  const { states, peer, told } = await opened();
  states.take([fix(1, 1000), fix(2, 1000)]);
  expect(told).toEqual([]);
  peer.tell('states.begin', {});
  await eventually(() => expect(told.flat()).toHaveLength(2));
  for (let time = 2000; time < 2050; time++) states.take([fix(1, time)]);
  await eventually(() => expect(told.flat().at(-1)).toMatchObject({ id: 1, time: 2049 }));
  expect(told.flat().length).toBeLessThan(6);
  await states.close();
});

test('[sync 71] what the other station tells is known here, and is not told back; a crew status set here is', async () => {
  const { states, peer, told } = await opened();
  peer.tell('states.begin', {});
  await peer.ask('states', { states: [fix(7, 5000, { speed: 40 })] });
  expect(states.get(7)).toMatchObject({ time: 5000, speed: 40 });
  await states.setUnitStatus(7, 3, 6000);
  await eventually(() => expect(told.flat()).toMatchObject([{ id: 7, time: 5000, unitStatus: 3 }]));
  await peer.ask('states', { states: [fix(7, 4000, { speed: 10 })] });
  expect(states.get(7)).toMatchObject({ time: 5000, speed: 40, unitStatus: 3 });
  await peer.ask('states', { states: [fix(8, Date.now() + 10 * 86_400_000)] });
  expect(states.get(8)).toBeUndefined();
  await expect(peer.ask('states', { states: [{ id: 'all' }] })).rejects.toThrow();
  await states.close();
});
