import { join } from 'node:path';
import type { StationConfig } from '../config/index.ts';
import { startGeocoder } from '../geocoding/index.ts';
import { listen } from '../http/listener/listen.ts';
import { mapsService } from '../http/map/maps-service.ts';
import { startMap } from '../map/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { VERSION } from '../platform/program.ts';
import { startPlanner } from '../routing/index.ts';
import { openTerritory } from '../territory/index.ts';
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
    let opened: readonly PromiseSettledResult<unknown>[] = [];
    const switchTo = async (directory: string | undefined) => {
      opened = await Promise.allSettled([planner, geocoder, map].map((reader) => reader.open(directory)));
      for (const result of opened)
        if (result.status === 'rejected') say('The territory cannot be used.', result.reason);
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
    ];
    const service = stack.use(
      mapsService({
        ...{ territory, planner, geocoder, map, problems },
        version: VERSION,
        isReady: () => problems().length === 0,
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

function say(message: string, error?: unknown): void {
  console.error(error instanceof Error ? `${message} ${error.message}` : message);
}
