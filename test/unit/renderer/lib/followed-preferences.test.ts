import { expect, test } from 'vitest';
import { ApiError, type Client } from '../../../../renderer/src/lib/api/client.ts';
import { follower, type PreferenceValues } from '../../../../renderer/src/lib/stores/followed-preferences.ts';

const DEFAULTS = { palette: 'day', textSize: '100', savedViews: [] };

/** A console of one person; `there` are the values at the station, undefined: it cannot be reached. */
function consoleOf(
  station: {
    there: Record<string, unknown> | undefined;
    /** An answer waits for it. */
    slow?: (method: string) => Promise<void>;
  },
  /** Of an earlier load of the page. */
  kept: { known?: PreferenceValues; sent?: PreferenceValues; values: Record<string, unknown> } = {
    values: { ...DEFAULTS },
  },
) {
  const { values } = kept;
  const client = {
    request: async (method: string, _path: string, request?: { body: { values: PreferenceValues } }) => {
      if (!station.there) throw new ApiError(0, '');
      if (method === 'put') Object.assign(station.there, structuredClone(request!.body.values));
      await station.slow?.(method);
      return { values: structuredClone(station.there) };
    },
  } as unknown as Client;
  return {
    values,
    kept,
    follow: follower({
      client,
      local: () => structuredClone(values),
      apply: (taken) => Object.assign(values, taken),
      defaults: () => DEFAULTS,
      known: () => kept.known,
      keep: (agreed) => (kept.known = agreed),
      sent: () => kept.sent ?? {},
      keepSent: (sent) => (kept.sent = sent),
    }),
  };
}

test('what a person chose on one console comes to the next, and defaults of a new one change nothing', async () => {
  const station = { there: {} };
  const [first, second] = [consoleOf(station), consoleOf(station)];
  first.values['palette'] = 'night';
  first.values['savedViews'] = [{ name: 'Mine' }];
  await first.follow();
  expect(station.there).toEqual({ palette: 'night', savedViews: [{ name: 'Mine' }] });
  second.values['palette'] = 'dusk'; // from before it met the station
  second.values['textSize'] = '125';
  await second.follow();
  expect(second.values).toEqual({ palette: 'night', textSize: '125', savedViews: [{ name: 'Mine' }] });
  await first.follow();
  expect(first.values).toEqual(second.values);
});

test('a change while the station is away goes there later, and the other console’s change stays', async () => {
  const station: { there: Record<string, unknown> | undefined } = { there: { palette: 'night' } };
  const [first, second] = [consoleOf(station), consoleOf(station)];
  await first.follow();
  await second.follow();
  const { there } = station;
  station.there = undefined;
  first.values['textSize'] = '112';
  await first.follow();
  station.there = there;
  second.values['palette'] = 'dusk';
  await second.follow();
  await first.follow();
  await second.follow();
  expect(first.values).toEqual({ palette: 'dusk', textSize: '112', savedViews: [] });
  expect(second.values).toEqual(first.values);
});

test('a page that is left while a change is on its way does not take it for the change of another console', async () => {
  const station: Parameters<typeof consoleOf>[0] = { there: { palette: 'day' } };
  const left = consoleOf(station);
  await left.follow();
  left.values['palette'] = 'night';
  let written = () => {};
  const arrived = new Promise<void>((resolve) => (written = resolve));
  station.slow = (method) => (method === 'put' ? (written(), new Promise<never>(() => {})) : Promise.resolve());
  void left.follow();
  await arrived;
  left.values['palette'] = 'day';
  station.slow = undefined;
  const loaded = consoleOf(station, structuredClone(left.kept));
  await loaded.follow();
  expect([loaded.values['palette'], station.there]).toEqual(['day', { palette: 'day' }]);
});

test('back to the default is a choice, too', async () => {
  const station = { there: { palette: 'night' } };
  const first = consoleOf(station);
  await first.follow();
  first.values['palette'] = 'day';
  await first.follow();
  expect([station.there, first.values['palette']]).toEqual([{ palette: 'day' }, 'day']);
});

test('who switches there and back while the station is slow keeps what was chosen last', async () => {
  let answer = () => {};
  const written = new Promise<void>((resolve) => (answer = resolve));
  const station: { there: Record<string, unknown>; slow?: (method: string) => Promise<void> } = { there: {} };
  const first = consoleOf(station);
  await first.follow();
  first.values['palette'] = 'night';
  station.slow = (method) => (method === 'put' ? written : Promise.resolve());
  const running = first.follow();
  await expect.poll(() => station.there['palette']).toBe('night'); // written, and not answered
  first.values['palette'] = 'day';
  const next = first.follow();
  answer();
  await Promise.all([running, next]);
  expect([first.values['palette'], station.there['palette']]).toEqual(['day', 'day']);
});
