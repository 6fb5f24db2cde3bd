import { join } from 'node:path';
import type { StationConfig } from '../../config/index.ts';
import { startGeocoder } from '../../geo/geocoding/index.ts';
import { listen } from '../../http/listener/listen.ts';
import { mapsService } from '../../http/map/maps-service.ts';
import { startMap } from '../../geo/map/index.ts';
import { openOrClose } from '../../platform/close-stack.ts';
import { VERSION } from '../../platform/program.ts';
import { startPlanner } from '../../geo/routing/index.ts';
import { openTerritory } from '../../geo/territory/index.ts';
import type { MapReaders } from './map-services.ts';
import { UNUSABLE } from './unusable-territory.ts';

/**
 * Serves routes, addresses and tiles of the territory in the data directory, and nothing else of it. Another
 * territory that is imported there is served within seconds.
 */
export function openMaps(config: StationConfig) {
  return openOrClose(async (stack) => {
    const territory = stack.use(
      await openTerritory(join(config.data, 'territory'), {
        onDamage: (files) => say(`Files of the territory are damaged: ${files.join(', ')}. Import it again.`),
      }),
    );
    const planner = stack.use(
      await startPlanner({ snapLimit: config['router.snapLimit'], threads: config['router.threads'], warn: say }),
    );
    const geocoder = stack.use(startGeocoder({ warn: say }));
    const map = stack.use(startMap(say));
    const answers = await mapAnswersOf(config, { planner, geocoder, map });
    if (answers) stack.use(answers);
    let opened: readonly PromiseSettledResult<unknown>[] = [];
    const switchTo = async (directory: string | undefined) => {
      answers?.forget();
      opened = await Promise.allSettled([planner, geocoder, map].map((reader) => reader.open(directory)));
      for (const result of opened)
        if (result.status === 'rejected') say('The territory cannot be used.', result.reason);
      if (opened.every(({ status }) => status === 'fulfilled')) void answers?.learn(territory);
    };
    await switchTo(territory.directory);
    stack.defer(territory.onSwitch(switchTo));
    const problems = () => [
      ...(territory.directory === undefined ? [{ code: 'territory.none', text: 'No territory is loaded.' }] : []),
      ...opened.flatMap(({ status }, at) =>
        status === 'rejected'
          ? [{ code: UNUSABLE[at]![0], text: `${UNUSABLE[at]![1]} Import the territory again.` }]
          : [],
      ),
      ...(answers?.problems() ?? []),
    ];
    const service = stack.use(
      mapsService({
        ...{ territory, planner, geocoder, map, problems },
        version: VERSION,
        isReady: () => territory.directory !== undefined && opened.every(({ status }) => status === 'fulfilled'),
        answers: answers?.counts,
        trustedProxies: config['http.trustedProxies'],
        costPerMinute: config['http.costPerMinute'],
        log: say,
      }),
    );
    const { address, stop } = await listen(service.handler, { host: config.host, port: config.port });
    stack.defer(stop);
    return { address };
  });
}

/** A service without a region loads nothing of it. */
async function mapAnswersOf(config: StationConfig, rooms: MapReaders) {
  if (config['nats.servers'].length === 0) return undefined;
  const { openMapAnswers } = await import('./map-services.ts');
  return openMapAnswers(config, rooms, { info: say, warn: say });
}

function say(message: string, error?: unknown): void {
  console.error(error instanceof Error ? `${message} ${error.message}` : message);
}
