import type { Client } from '../../../lib/api/client.ts';
import type { Schema } from '../../../lib/api/operations.ts';
import type { PlaceOrder } from '../../../lib/places/files/place-orders.ts';

export type OwnPlaceItem = Schema<'OwnPlace'>;

/** How many of each were written. */
export interface WrittenPlaces {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

/** Number of places in one request, which the station writes in one commit. */
const BATCH = 100;

/** Writes places in batches, then removes others. `told` hears the share that is done. */
export async function saveOwnPlaces(
  client: Pick<Client, 'ask'>,
  orders: readonly PlaceOrder[],
  remove: readonly number[],
  told: (share: number) => void,
): Promise<WrittenPlaces> {
  const batches: { places: readonly PlaceOrder[]; remove: readonly number[] }[] = [];
  for (let at = 0; at < orders.length; at += BATCH) batches.push({ places: orders.slice(at, at + BATCH), remove: [] });
  for (let at = 0; at < remove.length; at += BATCH) batches.push({ places: [], remove: remove.slice(at, at + BATCH) });
  let written: WrittenPlaces = { created: 0, changed: 0, removed: 0 };
  for (const [index, body] of batches.entries()) {
    const { created, changed, removed } = await client.ask<WrittenPlaces>('/own-places/batch', {
      method: 'POST',
      body,
    });
    written = {
      created: written.created + created,
      changed: written.changed + changed,
      removed: written.removed + removed,
    };
    told((index + 1) / batches.length);
  }
  return written;
}
