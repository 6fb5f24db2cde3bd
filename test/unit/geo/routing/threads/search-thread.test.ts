import { Worker } from 'node:worker_threads';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { packAffected } from '../../../../../server/geo/routing/closures/affected-pieces.ts';
import type { Coordinate, Table } from '../../../../../server/geo/routing/types.ts';
import type {
  SearchResponse,
  SearchRequest,
  PreparedTerritory,
} from '../../../../../server/geo/routing/threads/messages.ts';
import { PreparingThread } from '../../../../../server/geo/routing/threads/preparing-thread.ts';
import { SearchThread } from '../../../../../server/geo/routing/threads/search-thread.ts';
import { buildRoads, car, Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { closeRoads } from '../close-roads.ts';
import { anyPlace, pointOf } from '../places.ts';
import { randomTown } from '../random.ts';

afterEach(() => void vi.useRealTimers());

test('a thread is kept while it sends heartbeats, and replaced after 30 s without one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const warnings: string[] = [];
  const thread = new SearchThread(
    { networks: [], makeable: [], conditions: [], work: 0 },
    (warning) => warnings.push(warning),
    new URL('./obedient-search.worker.ts', import.meta.url),
  );
  await thread.ready;
  const refused = thread.request({ method: 'nearest', args: [{ lat: 0, lon: 0 }] }).then(
    () => 'answered',
    ({ kind }: { kind: string }) => kind,
  );
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(29_000);
    // What the worker sends comes in order: when this one has been released, the sign of life before it has
    // come.
    await thread.setConditions([{ metric: undefined, baseline: undefined, affected: packAffected([]) }]);
  }
  expect([warnings, thread.waiting]).toEqual([[], 1]);
  vi.advanceTimersByTime(29_000);
  await thread.setConditions([]);
  expect(warnings).toEqual([]);
  vi.advanceTimersByTime(1001);
  expect(warnings).toEqual(['A routing thread sent nothing for 30 s. Starting a new one.']);
  expect(await refused).toBe('busy');
  await thread.close();
});

test('during a table of hundreds of points on closed road other queries are answered, the thread sends heartbeats, and the table is right', async () => {
  const random = numbers(SEED + 81);
  const { bytes } = buildRoads(randomTown(random, 40, 40), { profile: car, minComponent: 4 });
  const roads = Roads.from(bytes.buffer);
  const closure = {
    id: 1,
    factor: 0,
    geometry: {
      type: 'Polygon' as const,
      coordinates: [
        [
          [9, 47],
          [9.05, 47],
          [9.05, 47.05],
          [9, 47.05],
          [9, 47],
        ],
      ],
    },
  };
  const directory = await mkdtemp(join(tmpdir(), 'waypost-search-thread-'));
  await writeFile(join(directory, 'roads.bin'), bytes);
  const preparing = new PreparingThread(directory);
  const { networks } = await preparing.prepared;
  const [traffic] = await preparing.conditions([closure], undefined);
  const worker = new Worker(new URL('../../../../../server/geo/routing/threads/search.worker.ts', import.meta.url), {
    workerData: { networks, makeable: [], conditions: [traffic!], work: 0 } satisfies PreparedTerritory,
  });
  const heard: string[] = [];
  let table: Table | undefined;
  const points = (count: number): Coordinate[] =>
    Array.from({ length: count }, () => pointOf(anyPlace(roads, random), roads));
  const [sources, targets] = [points(400), points(3)];
  const done = new Promise<void>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (message: SearchResponse | 'alive' | 'ready') => {
      if (typeof message === 'string') heard.push(message);
      else {
        if (message.kind !== 'answer') reject(new Error(JSON.stringify(message)));
        else if (message.id === 1) table = message.value as Table;
        heard.push(`answer ${message.id}`);
        if (message.id === 1) resolve();
      }
    });
  });
  const ask = (id: number, request: SearchRequest['request']): void =>
    worker.postMessage({ id, profile: undefined, request } satisfies SearchRequest);
  ask(1, { method: 'table', args: [{ sources, targets }] });
  ask(2, { method: 'nearest', args: [sources[0]!] });
  ask(3, { method: 'table', args: [{ sources: sources.slice(0, 2), targets }] });
  await done;
  const answers = heard.filter((one) => one.startsWith('answer'));
  expect(answers, `seed ${SEED + 81}`).toEqual(['answer 2', 'answer 3', 'answer 1']);
  expect(heard.slice(0, heard.indexOf('answer 1'))).toContain('alive');
  expect(table).toEqual(closeRoads(roads, [closure]).table({ sources, targets }));
  await worker.terminate();
  await preparing.close();
  await rm(directory, { recursive: true });
});
