import type { Item } from '../decoders/decoder.ts';
import type { DeviceDesk } from './tcp-listener.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import { whole } from '../decoders/reread.ts';
import { onDisk } from '../intake/intake.ts';

/** Who sends records: the device by which it logged in, the protocol, the sender. */
export interface Origin {
  readonly device: string;
  readonly source: string;
  readonly sender: Sender;
}

/**
 * Stores what can be stored and quarantines the rest; the answer counts what is known by now, sent before or
 * not.
 */
export async function store(
  item: Extract<Item, { kind: 'records' }>,
  loggedIn: ReturnType<DeviceDesk['find']>,
  { device, source, sender }: Origin,
  desk: DeviceDesk,
): Promise<Uint8Array | undefined> {
  // A packet that names its device is believed over the login, where the login is not somebody else's alone.
  const vehicle = (item.device === undefined ? undefined : desk.find(item.device)) ?? loggedIn;
  const name = item.device ?? device;
  if (!vehicle) {
    desk.unknown(name);
    return item.answer(0, 0);
  }
  const { records, faults } = item;
  const aside = faults.length > 0 ? await desk.quarantine(faults, source, name, sender) : 0;
  if (records.length === 0) return item.answer(0, aside);
  const taken = await desk.take(
    records.map((record) => whole(record, vehicle.glonassId, desk.now())),
    source,
    sender,
  );
  return item.answer(onDisk(taken), aside);
}
