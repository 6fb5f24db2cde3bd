import { openMaps } from '../../compose/programs/maps.ts';
import type { StationConfig } from '../../config/index.ts';
import type { ServiceManager } from '../../platform/services/service-manager.ts';
import { interruption } from '../words.ts';

/** `waypost serve --role maps`: runs until a signal. Standard output gets one line, when it answers. */
export async function serveMaps(config: StationConfig, manager: ServiceManager): Promise<void> {
  const stop = interruption();
  const maps = await openMaps(config);
  console.log(`Waypost is listening on ${maps.address}`);
  await manager.ready(async () => 'Routes, addresses and tiles');
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await manager.stopping();
  await maps.close();
}
