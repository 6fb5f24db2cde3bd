/** Default limit of quarantine entries of one device from one address within an hour. */
export const QUARANTINE_LIMIT = 1_000;
const HOUR = 3_600_000;
/** Limit per device over all addresses, as a multiple: the address of a datagram can be forged. */
const ADDRESSES = 10;
/**
 * Most devices counted per address; beyond that the oldest are forgotten. The count of a device over all
 * addresses never is.
 */
const MAX_SENDERS = 20_000;

/** The keys by which entries are counted. */
export interface QuotaSubject {
  /** 0: a device without a vehicle. */
  readonly vehicle: number;
  readonly sender: Sender;
}

/** A network address, or `PROVED`. */
export type Sender = string;

/** A device that gave the password of its vehicle, at any address: nobody else can use up its limit. */
export const PROVED: Sender = 'password';

/** The network: of IPv6 the first 64 bits, because one line owns them all. */
export function senderAt(address: string): Sender {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  if (!plain.includes(':')) return plain;
  const [before, behind] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = behind
    ? [...before!, ...Array<string>(Math.max(0, 8 - before!.length - behind.length)).fill('0'), ...behind]
    : before!;
  return `${groups.slice(0, 4).join(':')}::/64`;
}

interface QuotaCount {
  /** Arrival of the hour's first entry, epoch ms. */
  since: number;
  entries: number;
}

/**
 * Counts quarantine entries of each device from each address, so that nobody can fill the quarantine under
 * another's name.
 */
export class QuarantineQuota {
  readonly #limit: number;
  /** By vehicle and sender. */
  readonly #bySender = new Map<string, QuotaCount>();
  /** By vehicle, from all addresses. */
  readonly #byVehicle = new Map<number, QuotaCount>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  hasRoom({ vehicle, sender }: QuotaSubject, now: number): boolean {
    if (sender !== PROVED && entriesIn(this.#byVehicle.get(vehicle), now) >= this.#limit * ADDRESSES) return false;
    return entriesIn(this.#bySender.get(nameOf(vehicle, sender)), now) < this.#limit;
  }

  count({ vehicle, sender }: QuotaSubject, now: number): void {
    const name = nameOf(vehicle, sender);
    if (this.#bySender.size >= MAX_SENDERS && !this.#bySender.has(name))
      this.#bySender.delete(this.#bySender.keys().next().value!);
    countIn(this.#bySender, name, now);
    if (sender !== PROVED) countIn(this.#byVehicle, vehicle, now);
  }
}

function nameOf(vehicle: number, sender: Sender): string {
  return `${vehicle} ${sender}`;
}

/** Entries of the current hour. A clock set back begins a new hour, too. */
function entriesIn(count: QuotaCount | undefined, now: number): number {
  return count && now - count.since < HOUR && now >= count.since ? count.entries : 0;
}

function countIn<Name>(counts: Map<Name, QuotaCount>, name: Name, now: number): void {
  const known = counts.get(name);
  const entries = entriesIn(known, now);
  if (known && entries > 0) {
    known.entries++;
    return;
  }
  counts.delete(name); // at the end: the oldest hours come first
  counts.set(name, { since: now, entries: 1 });
}
