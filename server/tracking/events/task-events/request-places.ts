import type { Store } from '../../../store/types.ts';
import type { RequestPlace } from '../context/vehicle-context.ts';

/** Reads the places of tasks that a vehicle serves at a time or later. `TaskEvents` writes them. */
export function requestPlacesOf(store: Pick<Store, 'sql'>): (vehicleId: number, from: number) => RequestPlace[] {
  const statement = store.sql.prepare(
    'SELECT task, since, until, title, lat, lon FROM task_turns WHERE vehicle = ? AND (until IS NULL OR until > ?) AND lat IS NOT NULL ORDER BY task, since',
  );
  return (vehicleId, from) => {
    const rows = statement.all(vehicleId, from) as unknown as {
      task: number;
      since: number;
      until: number | null;
      title: string;
      lat: number;
      lon: number;
    }[];
    return rows.map(({ task, since, until, title, lat, lon }) => ({
      id: task,
      title,
      lat,
      lon,
      validFrom: since,
      validUntil: until,
    }));
  };
}
