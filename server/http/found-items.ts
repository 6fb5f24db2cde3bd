import { fold } from '../../shared/fold.ts';
import type { Fleet } from '../fleet/index.ts';
import type { Tasks } from '../tasks/index.ts';
import type { FindItems } from './geocoding.ts';

/** Newest messages that are looked through: whoever types in a search box means one of today. */
const LOOKED_THROUGH = 500;

/** Vehicles that the caller may see, by call sign, plate or driver. */
export function findVehiclesIn(fleet: Fleet): FindItems {
  return (caller, query, limit) => {
    const says = saying(query);
    if (!says) return [];
    const found = fleet.list(caller).filter(({ vehicle, state, drivers }) => state.time > 0 && says([vehicle.name, vehicle.plate, ...drivers.map((driver) => driver.name)]));
    return found.slice(0, limit).map(({ vehicle, state }) => ({ id: vehicle.id, label: vehicle.name, detail: vehicle.plate, lon: state.lon, lat: state.lat }));
  };
}

/** Current messages with a point that the caller may see, by number, title or address. */
export function findTasksIn(tasks: Tasks): FindItems {
  return async (caller, query, limit) => {
    const says = saying(query);
    if (!says) return [];
    const messages = await tasks.page(caller, { hasPoint: true, withAssigned: true, limit: LOOKED_THROUGH });
    const found = messages.filter((message) => says([message.title, message.address, `#${message.id}`]));
    return found.slice(0, limit).map(({ id, title, address, point }) => ({ id, label: `#${id} ${title}`, detail: address, lon: point!.lon, lat: point!.lat }));
  };
}

/** Does one of the texts hold every word of the query? Undefined for a query without words. */
function saying(query: string): ((texts: readonly string[]) => boolean) | undefined {
  const words = fold(query).split(/\s+/).filter((word) => word.length > 1 || /\d/.test(word));
  if (words.length === 0) return undefined;
  return (texts) => {
    const folded = texts.map(fold);
    return words.every((word) => folded.some((text) => text.includes(word)));
  };
}
