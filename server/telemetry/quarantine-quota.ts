/** Entries that the quarantine takes of one device from one address within an hour, when nobody says otherwise. */
export const QUARANTINE_LIMIT = 1_000;
const HOUR = 3_600_000;
/** Of one device from all addresses together, in limits: the address of a datagram can be forged. */
const ADDRESSES = 10;
/** Senders that are counted at once; beyond that the oldest are forgotten. */
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
  const groups = behind ? [...before!, ...Array<string>(Math.max(0, 8 - before!.length - behind.length)).fill('0'), ...behind] : before!;
  return `${groups.slice(0, 4).join(':')}::/64`;
}

interface Count {
  /** When the first entry of the hour came, epoch ms. */
  since: number;
  entries: number;
}

/** Counts what the quarantine takes of each device from each address, so that nobody fills it under another one's name. */
export class QuarantineQuota {
  readonly #limit: number;
  readonly #counts = new Map<string, Count>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  hasRoom(subject: Subject, now: number): boolean {
    const [own, all] = this.#countsOf(subject, now);
    return own.entries < this.#limit && (!all || all.entries < this.#limit * ADDRESSES);
  }

  count(subject: Subject, now: number): void {
    for (const count of this.#countsOf(subject, now)) if (count) count.entries++;
  }

  #countsOf({ vehicle, sender }: Subject, now: number): readonly [Count, Count | undefined] {
    return [this.#countOf(`${vehicle} ${sender}`, now), sender === PROVED ? undefined : this.#countOf(`${vehicle}`, now)];
  }

  #countOf(name: string, now: number): Count {
    const known = this.#counts.get(name);
    // A clock that was set back begins a new hour, too.
    if (known && now - known.since < HOUR && now >= known.since) return known;
    this.#counts.delete(name);
    if (this.#counts.size >= MOST_SENDERS) this.#counts.delete(this.#counts.keys().next().value!);
    const count = { since: now, entries: 0 };
    this.#counts.set(name, count);
    return count;
  }
}
