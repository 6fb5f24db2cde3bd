import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asyncapi from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANGE_TYPES } from '../../../shared/change-types.ts';
import { LIVE_LIMITS } from '../../../shared/live-limits.ts';
import { listenAs, type Said } from '../live-client.ts';
import { tryStation, type TryStation } from '../try-station.ts';

interface Message {
  payload: object;
  examples: { payload: unknown }[];
}
interface Description {
  asyncapi: string;
  channels: Record<'live' | 'changes', { address: string; messages: Record<string, Message> }>;
  operations: Record<string, { action: 'send' | 'receive'; messages: { $ref: string }[] }>;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

let at: TryStation;
let admin: string;
let description: Description;
const ok = (method: string, path: string, body?: unknown) => at.ok(method, path, { as: admin, body });

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  description = await at.ok('GET', '/asyncapi.json');
});
afterAll(() => at.stop());

/** What is wrong with a payload, by the description alone; empty: nothing. */
function faultsOf(channel: 'live' | 'changes', name: string, payload: unknown): string {
  const message = description.channels[channel].messages[name];
  if (!message) return `${name} is not described`;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.validate({ ...message.payload, components: description.components }, payload);
  return ajv.errorsText() === 'No errors' ? '' : `${name} ${ajv.errorsText()} ${JSON.stringify(payload).slice(0, 400)}`;
}

const namesOf = (action: 'send' | 'receive', channel: 'live' | 'changes') =>
  Object.values(description.operations)
    .filter((operation) => operation.action === action)
    .flatMap(({ messages }) => messages.map(({ $ref }) => $ref))
    .filter(($ref) => $ref.startsWith(`#/channels/${channel}/messages/`))
    .map(($ref) => $ref.split('/').at(-1)!);

test('the description is valid by the schema of AsyncAPI 3.0, and every example by its message', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, allErrors: true });
  ajv.validate(asyncapi.schemas['3.0.0'], description);
  expect(ajv.errors ?? []).toEqual([]);
  for (const channel of ['live', 'changes'] as const)
    for (const [name, { examples }] of Object.entries(description.channels[channel].messages)) {
      expect(examples.length, name).toBeGreaterThan(0);
      for (const { payload } of examples) expect(faultsOf(channel, name, payload)).toBe('');
    }
  const used = Object.values(description.operations).flatMap(({ messages }) => messages.map(({ $ref }) => $ref));
  const described = (['live', 'changes'] as const).flatMap((channel) =>
    Object.keys(description.channels[channel].messages).map((name) => `#/channels/${channel}/messages/${name}`),
  );
  expect(used.toSorted()).toEqual(described.toSorted());
});

test('a console hears every described message of the socket, each as described', async () => {
  const van = await ok('POST', '/cars', { name: 'Van', glonassId: 901 });
  const console = await listenAs(at, admin);
  console.send('SET_OBSERVABLE_CARS', [van.glonassId]);
  console.send('SET_REPLICA', { collections: ['messages', 'fleet', 'merges', 'links'] });
  const [fix, powerCut] = [{ glonassId: 901, lat: 55, lon: 37, speed: 0 }, { power_cut: true }];
  await ok('POST', '/telemetry', { ...fix, time: Date.now() - 60_000, params: powerCut });
  const { newsId } = await ok('POST', '/news/', { values: { title: 'Tree on the road', news_type_id: 1 } });
  console.send('SET_PRESENCE', [{ newsId, writing: true }]);
  await ok('POST', `/news/${newsId}/units`, { carIds: [van.id] });
  await ok('POST', '/closures', { name: 'Bridge', geometry: { type: 'Point', coordinates: [37, 55] } });
  const extract = join(at.directory, 'wrong.osm');
  writeFileSync(extract, 'no map');
  await at.ask('POST', '/territory', { as: admin, body: { path: extract } });
  await ok('POST', '/warning-feeds', { name: 'Weather', url: 'http://127.0.0.1:9/', enabled: false });
  console.send('NONSENSE', 1);
  for (const name of namesOf('receive', 'live'))
    await console.hear(({ command, data }) => command === name && (!Array.isArray(data) || data.length > 0));
  await console.hear(({ command, data }) => command === 'CAR_UPDATES' && data.some(({ sentTo = 0 }) => sentTo > 0));
  await console.hear(({ command, data }) => command === 'TERRITORY_PROGRESS' && data.state === 'failed');
  expect(console.heard.map((said) => faultsOf('live', said.command, said)).filter(Boolean)).toEqual([]);
  console.socket.terminate();
});

test('the station takes what the description allows a client to send, and answers the rest with ERROR', async () => {
  const many = Array.from({ length: LIVE_LIMITS.openTasks + 1 }, (_, newsId) => ({ newsId, writing: false }));
  const tried: [string, unknown][] = [
    ...namesOf('send', 'live').flatMap((command): [string, unknown][] =>
      [1, null, {}, ['1'], [1.5], [{ newsId: 1 }], { collections: 1 }].map((data) => [command, data]),
    ),
    ['SET_OBSERVABLE_CARS', [1, 2]],
    ['ADD_OBSERVABLE_CARS', [2 ** 53]],
    ['SET_REPLICA', { collections: ['messages', 'comments', 'directories', 'accounts', 'vehicles'] }],
    ['SET_REPLICA', { collections: ['fleet', 'alarms', 'merges', 'links'] }],
    ['SET_REPLICA', { collections: ['tasks'] }],
    ['SET_PRESENCE', many],
    ['SET_PRESENCE', many.slice(1)],
    ['NONSENSE', 1],
  ];
  const console = await listenAs(at, admin);
  const answers: string[] = [];
  for (const [index, [command, data]] of tried.entries()) {
    // The station answers in order, so that the answer to a mark follows the answer to the message.
    const isMark = ({ command, data }: Said) => command === 'ERROR' && data.params.command === `MARK ${index}`;
    console.forget();
    console.send(command, data);
    console.send(`MARK ${index}`, 1);
    await console.hear(isMark);
    const isRefused = console.heard.some((said) => said.command === 'ERROR' && !isMark(said));
    answers.push(`${command} ${JSON.stringify(data).slice(0, 40)} ${isRefused ? 'refused' : 'taken'}`);
  }
  const expected = tried.map(([command, data]) => {
    const fits = faultsOf('live', command, { command, data }) === '';
    return `${command} ${JSON.stringify(data).slice(0, 40)} ${fits ? 'taken' : 'refused'}`;
  });
  expect(answers).toEqual(expected);
  console.socket.terminate();
});

test('server-sent events of every kind are as described', async () => {
  expect(namesOf('receive', 'changes').toSorted()).toEqual([...CHANGE_TYPES, 'reset'].toSorted());
  const end = new AbortController();
  const response = await fetch(`${at.station.address}${description.channels.changes.address}`, {
    headers: { 'authorization': `Bearer ${admin}`, 'last-event-id': 'elsewhere.1' },
    signal: end.signal,
  });
  const heard = new Map<string, unknown>();
  const faults: string[] = [];
  const missing = new Set([...CHANGE_TYPES, 'reset']);
  // A withdrawn event needs late records of a whole drive; `events.test.ts` has one.
  missing.delete('event.deleted');
  const read = (async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, name, data] = /^event: (\S+)\n(?:id: .*\n)?data: (.*)$/m.exec(block) ?? [];
        if (name === undefined) continue;
        heard.set(name, data);
        missing.delete(name as 'reset');
        faults.push(faultsOf('changes', name, JSON.parse(data!)));
      }
      if (missing.size === 0) return;
    }
  })();
  const truck = await ok('POST', '/cars', { name: 'Truck', glonassId: 902 });
  const fix = { glonassId: 902, lat: 55, lon: 37, speed: 0 };
  const since = Date.now() - 600_000;
  await ok('POST', '/telemetry', { ...fix, time: since, params: { power_cut: true } });
  // Both records at once would be an event that is over when it is first told: nothing rises, and nothing changes.
  await expect.poll(() => missing.has('alarm.raised')).toBe(false);
  await ok('POST', '/telemetry', { ...fix, time: since + 60_000, params: { power_cut: false } });
  const { newsId } = await ok('POST', '/news/', { values: { title: 'Smoke', news_type_id: 1 } });
  await ok('POST', `/news/${newsId}/update`, { title: 'Smoke in the cellar' });
  await ok('POST', `/news/${newsId}/units`, { carIds: [truck.id] });
  await ok('POST', `/news/${newsId}/comments`, { comment: 'On the way' });
  await ok('POST', `/news/${newsId}/`, { action: 'delete' });
  const geometry = { type: 'Point', coordinates: [37, 55] };
  const { id } = await ok('POST', '/closures', { name: 'Bridge', geometry });
  await ok('PUT', `/closures/${id}`, { reason: 'Flood' });
  await at.ask('DELETE', `/closures/${id}`, { as: admin });
  await expect.poll(() => [...missing]).toEqual([]);
  await read;
  end.abort();
  expect(faults.filter(Boolean)).toEqual([]);
});
