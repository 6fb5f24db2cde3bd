import type { DroppedDatagrams } from '../../../../../server/tracking/telemetry/listeners/udp-listener.ts';
import type { DecodeFault } from '../../../../../server/tracking/telemetry/decoders/decoder.ts';
import type { DeviceGateway } from '../../../../../server/tracking/telemetry/listeners/tcp-listener.ts';
import type { IngestCallback } from '../../../../../server/tracking/telemetry/ingest/ingest-result.ts';

/** A gateway that notes what reaches it, and can be slow to store. */
export class FakeGateway implements DeviceGateway {
  taken: Record<string, unknown>[] = [];
  faults: DecodeFault[] = [];
  unknowns: string[] = [];
  stored: Promise<void> = Promise.resolve();

  find(device: string) {
    return device === '123456789012345'
      ? { id: 1, glonassId: 77, password: '' }
      : device === 'secret'
        ? { id: 2, glonassId: 78, password: 'pass' }
        : undefined;
  }
  async ingest(records: readonly unknown[]) {
    await this.stored;
    this.taken.push(...(records as Record<string, unknown>[]));
    return { accepted: records.length, duplicates: 0, quarantined: [] };
  }
  ingestOne(record: object, _source: string, waits: IngestCallback) {
    void this.ingest([record]).then(() => waits.stored(true));
  }
  async quarantine(faults: readonly DecodeFault[]) {
    this.faults.push(...faults);
    return faults.length;
  }
  unknown(device: string) {
    this.unknowns.push(device);
  }
  datagramsDropped(_counts: DroppedDatagrams, _source: string): void {
    throw new Error('These are few.');
  }
  now() {
    return 1_760_000_000_000;
  }
}
