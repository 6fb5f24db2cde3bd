/** ms after which it is told how many records came */
const HOUR = 3_600_000;
/** Whoever sends under ever new names must fill neither the log nor the memory: so many devices are named within an hour, and the others counted. */
const MOST_NAMED = 200;

/** Somebody else's tracker is no reason for a log entry each second: a device is named when it comes, and then once an hour as long as it sends, with its count. */
export class UnknownDevices {
  readonly #log: (message: string) => void;
  /** The devices that are named, and how many records came of each since then. */
  readonly #named = new Map<string, number>();
  /** Records of devices that are not. */
  #others = 0;
  #hour: NodeJS.Timeout | undefined;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /** Counts a record of a device that no vehicle carries. */
  count(device: string): void {
    this.#hour ??= setTimeout(() => this.#endHour(), HOUR).unref();
    const count = this.#named.get(device);
    if (count !== undefined) this.#named.set(device, count + 1);
    else if (this.#named.size < MOST_NAMED) {
      this.#named.set(device, 0);
      this.#log(`Records of ${called(device)} are not stored.`);
    } else this.#others++;
  }

  /** Tells what is still to be told. */
  close(): void {
    this.#tell();
    this.#named.clear();
  }

  #tell(): void {
    clearTimeout(this.#hour);
    this.#hour = undefined;
    for (const [device, count] of this.#named) {
      if (count > 0) this.#log(`Records of ${called(device)} were not stored: ${count} more within an hour.`);
    }
    if (this.#others > 0) this.#log(`Records of unknown devices that are not named here were not stored: ${this.#others} within an hour.`);
    this.#others = 0;
  }

  #endHour(): void {
    this.#tell();
    // Who was silent makes room for others, and is named anew when it comes again.
    for (const [device, count] of this.#named) {
      if (count > 0) this.#named.set(device, 0);
      else this.#named.delete(device);
    }
    if (this.#named.size > 0) this.#hour = setTimeout(() => this.#endHour(), HOUR).unref();
  }
}

function called(device: string): string {
  return `the unknown device ${device || '(without a name)'}`;
}
