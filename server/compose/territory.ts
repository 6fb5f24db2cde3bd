import { basename, join } from 'node:path';
import type { StationConfig } from '../config/index.ts';
import { Closures } from '../geo/closures/index.ts';
import { startGeocoder } from '../geo/geocoding/index.ts';
import { RasterLayers, startMap } from '../geo/map/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { startPlanner } from '../geo/routing/index.ts';
import { Speeds } from '../geo/speeds/index.ts';
import { TERRITORY_FILES, openTerritory } from '../geo/territory/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { MapServicesLog } from './programs/map-services.ts';
import type { Tracking } from './tracking.ts';
import { UNUSABLE } from './programs/unusable-territory.ts';

/** ms after which speeds are learned: not during a start. */
const FIRST_ROUND = 20_000;

export type TerritoryRooms = Awaited<ReturnType<typeof openTerritoryRooms>>;

/** The imported territory and the rooms that read it: planner, geocoder, map, learned speeds and closures. */
export function openTerritoryRooms(
  { config, now, log, store, audit }: Foundation,
  { fleet }: Dispatch,
  tracking: Tracking,
) {
  return openOrClose(async (stack) => {
    const territoryLog = log.logger('territory');
    const routingLog = log.logger('routing');
    const speedsLog = log.logger('speeds');
    const geocodingLog = log.logger('geocoding');
    const mapLog = log.logger('map');

    const territory = stack.use(
      await openTerritory(join(config.data, 'territory'), {
        now,
        onDamage: (files) =>
          territoryLog.error(
            `The territory was damaged on the disk after it had been imported (${files.join(', ')}). Import it again.`,
          ),
      }),
    );
    const mapServices = await mapServicesOf(config, store.stationId, log.logger('region'));
    if (mapServices) stack.use(mapServices);
    const ownPlanner = stack.use(
      await startPlanner({
        snapLimit: config['router.snapLimit'],
        threads: config['router.threads'],
        warn: (message) => routingLog.warn(message),
      }),
    );
    const planner = mapServices?.sharePlanner(ownPlanner) ?? ownPlanner;
    const ownGeocoder = stack.use(startGeocoder({ warn: (message) => geocodingLog.warn(message) }));
    const geocoder = mapServices?.shareGeocoder(ownGeocoder) ?? ownGeocoder;
    const map = stack.use(startMap((message) => mapLog.warn(message)));
    const rasters = stack.use(
      await RasterLayers.open(join(config.data, 'map-layers'), (message) => mapLog.warn(message)),
    );
    const speeds = stack.use(
      await Speeds.open({
        store,
        directory: config.data,
        now,
        applySpeeds: (learned) => planner.setSpeeds(learned),
        drivesAsCar: (vehicleId) => fleet.profileOf(vehicleId) === 'car',
        lastTimes: tracking.lastTimes,
        firstRound: FIRST_ROUND,
        report: (error) =>
          speedsLog.error('Speeds could not be learned or given to the router. Retrying within 60 s.', error),
      }),
    );
    stack.defer(tracking.tracksChanged.on((spans) => speeds.notice(spans)));

    /** Why the planner, the geocoder and the map cannot use the territory; undefined: they can. */
    let unusable: readonly (Error | undefined)[] = [];
    /** Makes the roads of the profiles that vehicles use, in the background. */
    const makeRoads = () => void planner.makeRoads(fleet.profiles());
    const switchTo = async (directory: string | undefined) => {
      mapServices?.forget();
      const opened = await Promise.allSettled([planner, geocoder, map].map((reader) => reader.open(directory)));
      // A territory that is damaged or of an older program must not keep a control room from its tasks.
      unusable = opened.map((result) => (result.status === 'rejected' ? (result.reason as Error) : undefined));
      for (const error of unusable)
        if (error) territoryLog.error('The territory cannot be used. Import it again.', error);
      makeRoads();
      void mapServices?.learn(territory);
      // Also what `waypost import` did while no station ran.
      await audit.recordChange('territory', directory === undefined ? '' : basename(directory), {
        kind: 'territory',
        action: 'replaced',
        subject: { name: territory.info?.name ?? '' },
      });
      await speeds.switchTo(directory);
      if (directory !== undefined)
        await tracking.limits.switchTo(basename(directory), join(directory, TERRITORY_FILES.limits));
    };
    await switchTo(territory.directory);
    stack.defer(territory.onSwitch(switchTo));

    const closures = stack.use(
      await Closures.open({
        store,
        now,
        wideLimit: config['closures.wideLimit'],
        applyClosures: (inForce) => planner.setClosures(inForce),
        affectedRoads: (geometry) => planner.affectedRoads(geometry),
        report: (error) => routingLog.error('The router could not apply the closures. Retrying within 60 s.', error),
      }),
    );
    const territoryProblems = (): { code: string; text: string }[] => [
      ...unusable.flatMap((error, index) =>
        error ? [{ code: UNUSABLE[index]![0], text: `${UNUSABLE[index]![1]} Import the territory again.` }] : [],
      ),
      ...(territory.damaged && territory.damaged.length > 0
        ? [
            {
              code: 'territory.damaged',
              text: `Files of the territory are damaged (${territory.damaged.join(', ')}). Import it again.`,
            },
          ]
        : []),
      ...(mapServices?.problems() ?? []),
    ];
    return { territory, planner, geocoder, map, rasters, speeds, closures, makeRoads, territoryProblems, mapServices };
  });
}

/** A station that asks no map services loads nothing of them. */
async function mapServicesOf(config: StationConfig, stationId: string, logger: MapServicesLog) {
  if (!config['nats.maps']) return undefined;
  const { openMapServices } = await import('./programs/map-services.ts');
  return openMapServices(config, stationId, logger);
}
