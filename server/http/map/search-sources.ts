import { wordMatcher } from '../../../shared/text/search-words.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import type { OwnPlaces } from '../../dispatch/places/index.ts';
import type { OwnPlaceSource, SearchSource } from './geocoding.ts';

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

/** Own places of the caller's organization and of the whole station. An area is not where one is. */
export function placeSearch(places: OwnPlaces): OwnPlaceSource {
  return {
    find: (caller, query, limit, near) =>
      places.find(caller, query, limit, near).map(({ place, score, name }) => ({
        id: place.id,
        label: name === place.name ? name : `${place.name} (${name})`,
        detail: place.layer,
        sort: place.sort,
        score,
        ...place.point,
      })),
    at: (caller, point) => {
      const place = places.at(caller, point).find(({ sort }) => sort !== 'area');
      return place && { id: place.id, label: place.name, sort: place.sort, score: 1, ...place.point };
    },
  };
}
