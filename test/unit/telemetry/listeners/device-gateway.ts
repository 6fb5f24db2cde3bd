import type { LetGo } from '../../../../server/telemetry/listeners/udp-listener.ts';
import type { Fault } from '../../../../server/telemetry/decoders/decoder.ts';
import type { DeviceDesk } from '../../../../server/telemetry/listeners/tcp-listener.ts';
import type { OneWaits } from '../../../../server/telemetry/intake/intake.ts';

/** A station's desk that writes down what reached it, and can be slow to store. */
export class Desk implements DeviceDesk {
  taken: Record<string, unknown>[] = [];
  faults: Fault[] = [];
  unknowns: string[] = [];
  stored: Promise<void> = Promise.resolve();

  find(device: string) {
    return device === '123456789012345'
      ? { id: 1, glonassId: 77, password: '' }
      : device === 'secret'
        ? { id: 2, glonassId: 78, password: 'pass' }
        : undefined;
  }
  async take(records: readonly unknown[]) {
    await this.stored;
    this.taken.push(...(records as Record<string, unknown>[]));
    return { accepted: records.length, duplicates: 0, quarantined: [] };
  }
  takeOne(record: object, _source: string, waits: OneWaits) {
    void this.take([record]).then(() => waits.taken(true));
  }
  async quarantine(faults: readonly Fault[]) {
    this.faults.push(...faults);
    return faults.length;
  }
  unknown(device: string) {
    this.unknowns.push(device);
  }
  letGo(_counts: LetGo, _source: string): void {
    throw new Error('These are few.');
  }
  now() {
    return 1_760_000_000_000;
  }
}
