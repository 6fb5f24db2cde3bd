import { wordMatcher } from '../../../shared/text/search-words.ts';
import type { Fleet } from '../../fleet/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { SearchSource } from './geocoding.ts';

/** Vehicles that the caller may see, by call sign, plate or driver. */
export function vehicleSearch(fleet: Fleet): SearchSource {
  return (caller, query, limit) => {
    const matches = wordMatcher(query);
    if (!matches) return [];
    const found = fleet
      .list(caller)
      .filter(
        ({ vehicle, state, drivers }) =>
          state.time > 0 && matches([vehicle.name, vehicle.plate, ...drivers.map((driver) => driver.name)]),
      );
    return found.slice(0, limit).map(({ vehicle, state }) => ({
      id: vehicle.id,
      label: vehicle.name,
      detail: vehicle.plate,
      lon: state.lon,
      lat: state.lat,
    }));
  };
}

/** Current tasks with a point that the caller may see, by number, title or address. */
export function taskSearch(tasks: Tasks): SearchSource {
  return async (caller, query, limit) =>
    (await tasks.lists.find(caller, query, limit)).map(({ id, title, address, lon, lat }) => ({
      id,
      label: `#${id} ${title}`,
      detail: address,
      lon,
      lat,
    }));
}
