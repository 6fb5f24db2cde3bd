import type { Fault, Item } from './decoders/decoder.ts';
import type { DeviceDesk } from './listeners.ts';
import { whole } from './reread.ts';

/** Stores what can be stored and quarantines the rest; the answer counts what is known by now, sent before or not. */
export async function store(item: Extract<Item, { kind: 'records' }>, loggedIn: ReturnType<DeviceDesk['find']>, device: string, source: string, desk: DeviceDesk): Promise<Uint8Array | undefined> {
  // A packet that names its device is believed over the login, where the login is not somebody else's alone.
  const vehicle = (item.device === undefined ? undefined : desk.find(item.device)) ?? loggedIn;
  const name = item.device ?? device;
  if (!vehicle) {
    desk.unknown(name);
    return item.answer(0, 0);
  }
  const placed: object[] = [];
  const faults: Fault[] = [...item.faults];
  for (const record of item.records) {
    const place = record.position ?? desk.lastPlace(vehicle.id);
    if (place) placed.push(whole(record, vehicle.glonassId, place, desk.now()));
    else faults.push({ reason: 'a record without a position, of a vehicle that never had one', raw: Buffer.from(JSON.stringify(record)) });
  }
  if (faults.length > 0) await desk.quarantine(faults, source, name);
  if (placed.length === 0) return item.answer(0, faults.length);
  const { accepted, duplicates, quarantined } = await desk.take(placed, source);
  return item.answer(accepted + duplicates + quarantined.length, faults.length);
}
