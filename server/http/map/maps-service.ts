import type { RequestListener } from 'node:http';
import { BlockList } from 'node:net';
import { z } from 'zod';
import type { Geocoder } from '../../geo/geocoding/index.ts';
import type { MapTiles } from '../../geo/map/index.ts';
import { networksOf } from '../../platform/networks.ts';
import type { Planner } from '../../geo/routing/index.ts';
import type { Territory } from '../../geo/territory/index.ts';
import { createApp } from '../app/app.ts';
import { clientFinder } from '../app/client.ts';
import { Metrics } from '../app/metrics.ts';
import { Quotas } from '../app/quotas.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { routingRoutes, unknownService } from '../routing/routing.ts';
import { geocodingRoutes } from './geocoding.ts';
import { tileRoutes } from './tiles.ts';

interface MapsServiceOptions {
  readonly territory: Pick<Territory, 'info'>;
  readonly planner: Planner;
  readonly geocoder: Geocoder;
  readonly map: MapTiles;
  readonly version: string;
  /** Whether all readers have opened the territory. */
  isReady(): boolean;
  problems(): readonly { readonly code: string; readonly text: string }[];
  /** Questions of stations over the servers of a region; undefined: it is in none. */
  readonly answers: { readonly answered: number; readonly refused: number } | undefined;
  /** Addresses and networks whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Points of costly questions that one address may ask a minute. */
  readonly costPerMinute: number;
  log(message: string, error?: unknown): void;
}

/**
 * Routes, addresses and tiles for everybody who reaches the port: it has no accounts and no records, so any number
 * of these services answer alike. They know no learned speeds, and closures only as
 * stations of a region tell them.
 */
export function mapsService(options: MapsServiceOptions): { handler: RequestListener; close(): void } {
  const metrics = new Metrics();
  const stopWatching = metrics.watchProcess();
  metrics.gauge('waypost_maps_ready', 'Whether a territory is open: 1 or 0.', () => Number(options.isReady()));
  const { answers } = options;
  if (answers)
    metrics.counters(
      'waypost_maps_answers_total',
      'Questions of stations of the region, by what became of them.',
      () => [
        { labels: { result: 'answered' }, value: answers.answered },
        { labels: { result: 'refused' }, value: answers.refused },
      ],
    );
  const handler = createApp({
    routes: mapsRoutes(options, metrics),
    rest: unknownService,
    findClient: clientFinder(networksOf(options.trustedProxies) ?? new BlockList(), () => undefined),
    quotas: new Quotas(options.costPerMinute),
    authenticate: () => undefined,
    reportBug: (id, error) => options.log(`A bug: a request failed as ${id}.`, error),
    observe: ({ method }, { statusCode }, pattern, seconds) => metrics.answered(method, pattern, statusCode, seconds),
  });
  return { handler, close: stopWatching };
}

function mapsRoutes(options: MapsServiceOptions, metrics: Metrics): DeclaredRoute[] {
  const { planner, geocoder, map } = options;
  const nothingElse = { vehicles: () => [], tasks: () => [], places: { find: () => [], at: () => undefined } };
  const forUsers = [...geocodingRoutes(geocoder, nothingElse), ...tileRoutes(map)];
  return [
    ...statusRoutes(options, metrics),
    ...routingRoutes(planner, { anonymous: true }),
    ...forUsers.filter(({ access }) => access !== 'crew').map((each) => ({ ...each, access: 'open' as const })),
  ];
}

function statusRoutes({ territory, version, isReady, problems }: MapsServiceOptions, metrics: Metrics) {
  const common = { method: 'GET', family: 'station', group: 'station', access: 'open' } as const;
  return [
    route({
      ...common,
      path: '/health',
      summary: 'Does it live, and what is wrong with it?',
      answer: z.object({
        status: z.enum(['ok', 'degraded']),
        problems: z.array(z.object({ code: z.string(), text: z.string() })),
        version: z.string(),
        territory: z.object({ name: z.string(), importedAt: z.number() }).nullable(),
      }),
      run: () => {
        const { info } = territory;
        const all = [...problems()];
        return {
          status: all.length === 0 ? ('ok' as const) : ('degraded' as const),
          problems: all,
          version,
          territory: info ? { name: info.name, importedAt: info.importedAt } : null,
        };
      },
    }),
    route({
      ...common,
      path: '/ready',
      summary: 'Status 503 while questions had better go to another service',
      answer: z.object({ ready: z.boolean() }),
      run: ({ response }) => {
        const ready = isReady();
        response.status(ready ? 200 : 503);
        return { ready };
      },
    }),
    route({
      ...common,
      path: '/metrics',
      summary: 'Numbers for monitoring (Prometheus)',
      answer: { type: 'text/plain; version=0.0.4; charset=utf-8' },
      run: () => metrics.text(),
    }),
  ];
}
