import { ThrottledLog } from './throttled-log.ts';

/** Somebody else's tracker is no reason for a log entry each second. */
export class UnknownDevices {
  readonly #notes: ThrottledLog;

  constructor(log: (message: string) => void) {
    this.#notes = new ThrottledLog(log, {
      more: (device, count) => `Records of ${called(device)} were not stored: ${count} more within an hour.`,
      others: (count) => `Records of unknown devices that are not named here were not stored: ${count} within an hour.`,
    });
  }

  /** Counts a record of a device that no vehicle carries. */
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
