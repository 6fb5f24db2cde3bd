import { ThrottledLog } from './throttled-log.ts';

/** A foreign tracker should not cause a log line per second. */
export class UnknownDevices {
  readonly #notes: ThrottledLog;

  constructor(log: (message: string) => void) {
    this.#notes = new ThrottledLog(log, {
      more: (device, count) => `Records of ${called(device)} were not stored: ${count} more within an hour.`,
      others: (count) => `Records of unknown devices that are not named here were not stored: ${count} within an hour.`,
    });
  }

  /** Counts a record of a device without a vehicle. */
  count(device: string): void {
    this.#notes.count(device, `Records of ${called(device)} are not stored.`);
  }

  close(): void {
    this.#notes.close();
  }
}

function called(device: string): string {
  return `the unknown device ${device || '(without a name)'}`;
}
