import { expect, test } from 'vitest';
import { Preferences } from '../../../../server/access/accounts/person-preferences.ts';
import { MeetingStations } from '../../replication/sync/two-stations.ts';

const PERSON = { id: 1, organizationId: 1 };

test('preferences set at two stations before they meet come together by name, the later of each', async () => {
  const stations = new MeetingStations();
  const set = (number: number, values: Record<string, unknown>) =>
    stations.at(number, (store) => new Preferences(store).set(PERSON, values));
  const at = (number: number) => stations.at(number, async (store) => new Preferences(store).of(PERSON.id));
  await set(1, { palette: 'night', savedViews: [{ name: 'Mine' }] });
  await set(2, { palette: 'dusk', textSize: '125' });
  await stations.meet();
  const both = { palette: 'dusk', savedViews: [{ name: 'Mine' }], textSize: '125' };
  expect([await at(1), await at(2)]).toEqual([both, both]);

  await set(1, { palette: 'day' });
  await set(2, { savedViews: null });
  await stations.meet();
  const later = { palette: 'day', textSize: '125' };
  expect([await at(1), await at(2)]).toEqual([later, later]);
  expect(await stations.at(1, async (store) => store.records('merges').all().length)).toBe(0);
});
