/** ms in which a device is named once */
const QUIET = 3_600_000;
/** Devices that are remembered: whoever sends under ever new names must not fill the memory, ... */
const MOST = 10_000;
/** ... nor the log: so many are named within an hour, and the others counted. */
const MOST_NAMED = 200;

/** Somebody else's tracker is no reason for a log entry each second: each device is named once an hour, with its count. */
export class UnknownDevices {
  readonly #seen = new Map<string, { since: number; count: number }>();
  /** Names within an hour, and how many came besides. */
  #hour = { since: -Infinity, named: 0, others: 0 };

  count(device: string, now: number, log: (message: string) => void): void {
    const known = this.#seen.get(device);
    if (known && now - known.since < QUIET) {
      known.count++;
      return;
    }
    if (now - this.#hour.since >= QUIET) {
      if (this.#hour.others > 0) log(`Records of unknown devices under ${this.#hour.others} other names were not stored within an hour.`);
      this.#hour = { since: now, named: 0, others: 0 };
    }
    if (this.#hour.named < MOST_NAMED) {
      this.#hour.named++;
      log(`Records of the unknown device ${device || '(without a name)'} were not stored${known ? `: ${known.count} in the last hour` : ''}.`);
    } else this.#hour.others++;
    this.#seen.delete(device);
    this.#seen.set(device, { since: now, count: 1 });
    if (this.#seen.size > MOST) this.#seen.delete(this.#seen.keys().next().value!);
  }
}
