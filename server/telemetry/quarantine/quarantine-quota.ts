/**
 * Entries that the quarantine takes of one device from one address within an hour, when nobody says
 * otherwise.
 */
export const QUARANTINE_LIMIT = 1_000;
const HOUR = 3_600_000;
/** Of one device from all addresses together, in limits: the address of a datagram can be forged. */
const ADDRESSES = 10;
/**
 * Devices at an address that are counted at once; beyond that the oldest are forgotten. What came of a device
 * from all addresses never is.
 */
const MOST_SENDERS = 20_000;

/** By what entries are counted. */
export interface Subject {
  /** 0: a device that no vehicle carries. */
  readonly vehicle: number;
  readonly sender: Sender;
}

/** A network address, or `PROVED`. */
export type Sender = string;

/** A device that gave the password of its vehicle, wherever it is: nobody else can use up its room. */
export const PROVED: Sender = 'password';

/** One network: of IPv6 its first 64 bits, since one line has all addresses behind them. */
export function senderAt(address: string): Sender {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  if (!plain.includes(':')) return plain;
  const [before, behind] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = behind
    ? [...before!, ...Array<string>(Math.max(0, 8 - before!.length - behind.length)).fill('0'), ...behind]
    : before!;
  return `${groups.slice(0, 4).join(':')}::/64`;
}

interface Count {
  /** When the first entry of the hour came, epoch ms. */
  since: number;
  entries: number;
}

/**
 * Counts what the quarantine takes of each device from each address, so that nobody fills it under another
 * one's name.
 */
export class QuarantineQuota {
  readonly #limit: number;
  /** By vehicle and sender. */
  readonly #bySender = new Map<string, Count>();
  /** By vehicle, from all addresses. */
  readonly #byVehicle = new Map<number, Count>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  hasRoom({ vehicle, sender }: Subject, now: number): boolean {
    if (sender !== PROVED && entriesIn(this.#byVehicle.get(vehicle), now) >= this.#limit * ADDRESSES) return false;
    return entriesIn(this.#bySender.get(nameOf(vehicle, sender)), now) < this.#limit;
  }

  count({ vehicle, sender }: Subject, now: number): void {
    const name = nameOf(vehicle, sender);
    if (this.#bySender.size >= MOST_SENDERS && !this.#bySender.has(name))
      this.#bySender.delete(this.#bySender.keys().next().value!);
    countIn(this.#bySender, name, now);
    if (sender !== PROVED) countIn(this.#byVehicle, vehicle, now);
  }
}

function nameOf(vehicle: number, sender: Sender): string {
  return `${vehicle} ${sender}`;
}

/** Entries of the hour that is not over yet. A clock that was set back begins a new hour, too. */
function entriesIn(count: Count | undefined, now: number): number {
  return count && now - count.since < HOUR && now >= count.since ? count.entries : 0;
}

function countIn<Name>(counts: Map<Name, Count>, name: Name, now: number): void {
  const known = counts.get(name);
  const entries = entriesIn(known, now);
  if (known && entries > 0) {
    known.entries++;
    return;
  }
  counts.delete(name); // behind the others: the oldest hours come first
  counts.set(name, { since: now, entries: 1 });
}
