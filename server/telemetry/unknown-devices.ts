/** ms in which a device is named once */
const QUIET = 3_600_000;
/** Devices that are remembered: whoever sends under ever new names must not fill the memory. */
const MOST = 10_000;

/** Somebody else's tracker is no reason for a log entry each second: each device is named once an hour, with its count. */
export class UnknownDevices {
  readonly #seen = new Map<string, { since: number; count: number }>();

  count(device: string, now: number, log: (message: string) => void): void {
    const known = this.#seen.get(device);
    if (known && now - known.since < QUIET) {
      known.count++;
      return;
    }
    log(`Records of the unknown device ${device || '(without a name)'} were not stored${known ? `: ${known.count} in the last hour` : ''}.`);
    this.#seen.delete(device);
    this.#seen.set(device, { since: now, count: 1 });
    if (this.#seen.size > MOST) this.#seen.delete(this.#seen.keys().next().value!);
  }
}
