import { once } from 'node:events';
import { createApp } from '../../../server/http/app/app.ts';
import { listen } from '../../../server/http/listener/listen.ts';
import { routingRoutes } from '../../../server/http/routing/routing.ts';
import { startPlanner } from '../../../server/geo/routing/index.ts';
import type { Planner, Coordinate } from '../../../server/geo/routing/index.ts';
import { Worker } from 'node:worker_threads';
import type { HttpOrder, HttpTimes } from '../http-client.worker.ts';
import { randomRequests } from './random-requests.ts';
import type { BenchReport } from '../run.ts';
import { measureTurns, turnsText } from '../turns.ts';

const QUESTIONS = 1000;
/**
 * Thousands of routes until V8 has compiled what serves them, as it has in a station that has been asked for
 * a while.
 */
const WARM = 10;
const CLOSING_QUESTIONS = 2000;
const WILD_QUESTIONS = 10_000;

/**
 * Area C as a station serves it, asked by clients on a thread of their own with connections kept. `slow` is
 * one plain search, ms.
 */
export async function overHttp(
  report: BenchReport,
  directory: string,
  trips: readonly Coordinate[][],
  slow: number,
): Promise<void> {
  const planner = await startPlanner({ directory, warn: (warning) => report.line(warning) });
  const app = createApp({
    routes: routingRoutes(planner),
    authenticate: () => undefined,
    reportBug: (_, error) => report.line(String(error)),
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const client = new Client(listening.port);
  const routes = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => {
      const [from, to] = trips[i % trips.length]!;
      return `/viaroute?loc=${from!.lat},${from!.lon}&loc=${to!.lat},${to!.lon}&alt=false`;
    });
  await client.get(routes(QUESTIONS), 1);
  report.ratio(
    'route over HTTP, one client, the second thousand / plain search',
    median((await client.get(routes(QUESTIONS), 1)).taken),
    slow,
    'ms',
  );
  for (let thousand = 2; thousand < WARM; thousand++) await client.get(routes(QUESTIONS), 1);
  const one = median((await client.get(routes(QUESTIONS), 1)).taken);
  report.ratio(`route over HTTP, one client, after ${WARM},000 / plain search`, one, slow, 'ms');
  await besideFloor(report, client, one, routes(QUESTIONS));
  const nearest = trips.map(([from]) => `/nearest?loc=${from!.lat},${from!.lon}`);
  await client.get(nearest, 1);
  report.ratio(
    'nearest road over HTTP, one client / plain search',
    median((await client.get(nearest, 1)).taken),
    slow,
    'ms',
    'what all of it but the search takes',
  );
  const { whole } = await client.get(routes(3000), 8);
  report.line(`routes over HTTP, eight clients: ${Math.round(3000 / (whole / 1000))} answers/s`);

  for (const [rows, columns] of [
    [100, 100],
    [1, 499],
  ] as const) {
    const named = (name: string, count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `${name}=${trips[i % trips.length]![0]!.lat},${trips[i % trips.length]![0]!.lon}`,
      ).join('&');
    const path =
      rows === columns ? `/table?${named('loc', rows)}` : `/table?${named('src', rows)}&${named('dst', columns)}`;
    report.ratio(
      `table ${rows} x ${columns} over HTTP / plain search`,
      median(
        (
          await client.get(
            Array.from({ length: 9 }, () => path),
            1,
          )
        ).taken,
      ),
      slow,
      'ms',
    );
  }

  await underClosures(
    report,
    'over HTTP',
    planner,
    trips,
    async () => (await client.get(routes(CLOSING_QUESTIONS), 1)).taken,
  );
  await underClosures(report, 'asked of the planner', planner, trips, async () => {
    const taken = new Float64Array(CLOSING_QUESTIONS);
    for (let i = 0; i < taken.length; i++) {
      const began = performance.now();
      await planner.writtenRoute(
        { points: trips[i % trips.length]! },
        { gpx: false, instructions: false, geometry: true, compression: true },
      );
      taken[i] = performance.now() - began;
    }
    return taken;
  });
  await wild(report, client, trips);
  await client.end();
  await listening.stop();
  await planner.close();
}

/**
 * The same client and the same way through sockets and Node's parser, but nothing is asked: less than this no
 * server of ours can take.
 */
async function besideFloor(report: BenchReport, client: Client, one: number, paths: readonly string[]): Promise<void> {
  const body = Buffer.alloc(1800, 'x');
  const bare = await listen(
    (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body),
    { host: '127.0.0.1', port: 0 },
  );
  for (let thousand = 0; thousand < WARM; thousand++) await client.get(paths, 1, bare.port);
  report.ratio(
    'route over HTTP, one client / a bare server with the same client',
    one,
    median((await client.get(paths, 1, bare.port)).taken),
    'ms',
  );
  await bare.stop();
}

/** What the station's event loop does in one turn at most, whatever it is asked. */
async function wild(report: BenchReport, client: Client, trips: readonly Coordinate[][]): Promise<void> {
  const answers = client.get(randomRequests(trips, WILD_QUESTIONS), 8);
  // The turn that hands the client so many addresses is our own.
  await new Promise(setImmediate);
  const turns = measureTurns();
  const { statuses, whole } = await answers;
  const watched = await turns.stop();
  const counted = new Map<number, number>();
  for (const status of statuses) counted.set(status, (counted.get(status) ?? 0) + 1);
  const told = [...counted]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => (status === 0 ? `${count} without an answer` : `${count} of ${status}`))
    .join(', ');
  report.line(
    `${WILD_QUESTIONS} random requests of all sorts in ${(whole / 1000).toFixed(0)} s: ${told}; ${turnsText(watched)}`,
  );
}

/**
 * How long a closure takes to be in force, and what questions feel of it while one closure follows the other
 * without a pause. `ask` tells the ms of many questions, one after the other.
 */
async function underClosures(
  report: BenchReport,
  how: string,
  planner: Planner,
  trips: readonly Coordinate[][],
  ask: () => Promise<Float64Array>,
): Promise<void> {
  const quiet = await ask();
  const taken: number[] = [];
  let over = false;
  const changes = (async () => {
    for (let id = 1; !over; id++) {
      const { lat, lon } = trips[id % trips.length]![0]!;
      const began = performance.now();
      await planner.setClosures([{ id, geometry: { type: 'Point', coordinates: [lon, lat] }, factor: 0 }]);
      taken.push(performance.now() - began);
    }
  })();
  const busy = await ask();
  over = true;
  await changes;
  await planner.setClosures([]);
  report.line(
    `routes ${how}, ${taken.length} closures meanwhile: one is in force after ${median(taken).toFixed(0)} ms (median), ${Math.max(...taken).toFixed(0)} ms (longest)`,
  );
  report.ratio('  median while closures change / in quiet', median(busy), median(quiet), 'ms');
  report.ratio('  99 % while closures change / in quiet', quantile(busy, 0.99), quantile(quiet, 0.99), 'ms');
}

class Client {
  readonly #worker = new Worker(new URL('../http-client.worker.ts', import.meta.url));
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  async get(paths: readonly string[], clients: number, port = this.#port): Promise<HttpTimes> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage({ port, clients, paths } satisfies HttpOrder);
    const [times] = (await answered) as [HttpTimes];
    return times;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

function quantile(values: ArrayLike<number>, share: number): number {
  return Float64Array.from(values).sort()[Math.floor(values.length * share)]!;
}
