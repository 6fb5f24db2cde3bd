import { InvalidSetting, type StationConfig } from '../../config/index.ts';
import type { Geocoder } from '../../geo/geocoding/index.ts';
import type { MapTiles } from '../../geo/map/index.ts';
import { MapAnswers, MapServices, shareGeocoder, sharePlanner } from '../../geo/map-services/index.ts';
import { RegionConnection } from '../../replication/nats/index.ts';
import { CloseStack } from '../../platform/close-stack.ts';
import type { Planner } from '../../geo/routing/index.ts';
import type { Territory } from '../../geo/territory/index.ts';
import { regionOptions } from './region-options.ts';

export interface MapReaders {
  readonly planner: Planner;
  readonly geocoder: Geocoder;
  readonly map: MapTiles;
}

export interface MapServicesLog {
  info(message: string): void;
  warn(message: string): void;
}

/** The map services of the region, for a station. They have a connection of their own: records do not delay answers. */
export function openMapServices(config: StationConfig, stationId: string, log: MapServicesLog) {
  if (config['nats.servers'].length === 0)
    throw new InvalidSetting('Map services answer over the servers of a region: set nats.servers.');
  const stack = new CloseStack();
  const connection = stack.use(new RegionConnection({ ...regionOptions(config), log }));
  const services = stack.use(new MapServices({ connection, stationId, log }));
  return {
    counts: services.counts,
    sharePlanner: (own: Planner) => sharePlanner(own, services),
    shareGeocoder: (own: Geocoder) => shareGeocoder(own, services),
    ...followsTerritory((id) => services.setMap(id), log),
    problems: () => (services.problem === undefined ? [] : [{ code: 'region.maps', text: services.problem }]),
    close: () => stack.close(),
  };
}

/** Answers questions of the region, for a map service. */
export function openMapAnswers(config: StationConfig, readers: MapReaders, log: MapServicesLog) {
  const stack = new CloseStack();
  const connection = stack.use(new RegionConnection({ ...regionOptions(config), log }));
  const answers = stack.use(new MapAnswers({ connection, ...readers, now: Date.now, log }));
  return {
    counts: answers.counts,
    ...followsTerritory((id) => answers.switchTo(id), log),
    problems: () =>
      connection.state.isConnected ? [] : [{ code: 'region.away', text: 'No server of the region answers.' }],
    close: () => stack.close(),
  };
}

/** Services and stations know a territory by the hash of its files, which a thread reads once. */
function followsTerritory(use: (id: string | undefined) => void, log: MapServicesLog) {
  let asked = 0;
  return {
    forget() {
      asked++;
      use(undefined);
    },
    async learn(territory: Territory): Promise<void> {
      const mine = ++asked;
      try {
        const manifest = await territory.manifest();
        if (mine === asked) use(manifest?.id);
      } catch (error) {
        log.warn(`The files of the territory could not be read for map services: ${(error as Error).message}`);
      }
    },
  };
}
