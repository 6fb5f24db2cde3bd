import type { Item } from '../decoders/decoder.ts';
import type { DeviceGateway } from './tcp-listener.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import { completeRecord } from '../decoders/reread.ts';
import { countStored } from '../ingest/ingest-result.ts';

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
  loggedIn: ReturnType<DeviceGateway['find']>,
  { device, source, sender }: Origin,
  gateway: DeviceGateway,
): Promise<Uint8Array | undefined> {
  // A packet that names its device is believed over the login, where the login is not somebody else's alone.
  const vehicle = (item.device === undefined ? undefined : gateway.find(item.device)) ?? loggedIn;
  const name = item.device ?? device;
  if (!vehicle) {
    gateway.unknown(name);
    return item.answer(0, 0);
  }
  const { records, faults } = item;
  const aside = faults.length > 0 ? await gateway.quarantine(faults, source, name, sender) : 0;
  if (records.length === 0) return item.answer(0, aside);
  const taken = await gateway.ingest(
    records.map((record) => completeRecord(record, vehicle.glonassId, gateway.now())),
    source,
    sender,
  );
  return item.answer(countStored(taken), aside);
}
