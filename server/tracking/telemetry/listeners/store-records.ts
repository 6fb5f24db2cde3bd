import type { Item } from '../decoders/decoder.ts';
import type { DeviceGateway } from './tcp-listener.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import { completeRecord } from '../decoders/reread.ts';
import { countStored } from '../ingest/ingest-result.ts';

/** The sender of records: the device of its login, the protocol, the address. */
export interface RecordSender {
  readonly device: string;
  readonly source: string;
  readonly sender: Sender;
  /** Devices without a vehicle are normal there. */
  readonly isFeed?: boolean;
}

/**
 * Stores valid records and quarantines the rest; the answer counts records on disk, including those sent
 * before.
 */
export async function store(
  item: Extract<Item, { kind: 'records' }>,
  loggedIn: ReturnType<DeviceGateway['find']>,
  { device, source, sender, isFeed }: RecordSender,
  gateway: DeviceGateway,
): Promise<Uint8Array | undefined> {
  // A device named in a packet overrides the login, unless the login had a password.
  const vehicle = (item.device === undefined ? undefined : gateway.find(item.device)) ?? loggedIn;
  const name = item.device ?? device;
  if (!vehicle) {
    if (!isFeed) gateway.unknown(name);
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
