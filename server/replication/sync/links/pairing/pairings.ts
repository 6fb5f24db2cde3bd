import type { z } from 'zod';
import { Refusal } from '../../../../../shared/refusal.ts';
import { Mutex } from '../../../../platform/mutex.ts';
import { isLoopbackAddress } from '../../../../platform/networks.ts';
import type { LinkSettings } from '../../types.ts';
import { askStation, reach, reachPinned, stationAddress } from '../dialling/dial.ts';
import { randomToken } from '../connection/handshake.ts';
import type { KnownStations } from '../known-stations.ts';
import type { LinkRow } from '../link-table.ts';
import {
  Codes,
  isProof,
  pairingKey,
  proofOf,
  readCode,
  type Code,
  type PairedStation,
  type Transcript,
} from './pairing.ts';
import {
  PairingAnswer,
  PairingOffer,
  sentSettings,
  type PairingProof,
  type PairingQuestion,
} from '../connection/wire.ts';

/** ms within which a pairing that was begun has to be finished. */
const PAIRING_LIFE = 60_000;
const MOST_PAIRINGS = 100;
/** Wrong tries of one address within `TRIES_WINDOW` ms, after which it has to wait. */
const MOST_TRIES = 10;
const TRIES_WINDOW = 15 * 60_000;
/** Tries that may wait for each other: each costs 16 MB and some 50 ms. */
const MOST_WAITING = 20;

/** How a request of another station arrived. */
export interface Arrival {
  /** SHA-256 of the certificate that it came over; empty without TLS. */
  readonly certificate: string;
  readonly isLoopback: boolean;
  /** From where, for the log and for limits. */
  readonly from: string;
}

/** Where this station is to be reached: from the socket of a connection to the other station. */
export type OwnAddress = (localAddress: string | undefined, isLoopback: boolean) => string | null;

interface PairingsOptions {
  readonly own: () => PairedStation;
  readonly ownAddress: OwnAddress;
  readonly known: KnownStations;
  readonly now: () => number;
  /** Whether the station has given out no id yet, and may take another number. */
  readonly mayRenumber: () => boolean;
  readonly renumber: (number: number) => Promise<void>;
  /** Somebody did not know the code. */
  readonly refused: (address: string, why: string) => void;
  /** Throws a Refusal when this station cannot become a standby of that one. */
  readonly requireFresh: (stationId: string) => void;
  /** The station that this one follows. */
  readonly following: () => { readonly name: string } | undefined;
  /** Stores the link. */
  readonly made: (link: MadeLink) => Promise<LinkRow>;
}

/** A link as a pairing makes it. */
export type MadeLink = Omit<LinkRow, 'id' | 'lastContact' | 'cut' | 'leadership'>;

interface PairedLink {
  readonly nonce: string;
  readonly theirNonce: string;
  readonly end: number;
}

export interface PairingOrder {
  readonly address: string;
  readonly code: string;
  /** undefined: found out; null: this station cannot be reached. */
  readonly ownAddress: string | null | undefined;
  readonly settings: LinkSettings;
}

/** Makes links: shows codes and answers other stations, or asks another one with its code. README, *Pairing*. */
export class Pairings {
  readonly #options: PairingsOptions;
  readonly #codes: Codes;
  readonly #begun = new Map<string, PairedLink>();
  readonly #tries = new Mutex();
  readonly #failures = new Map<string, number[]>();
  #waiting = 0;

  constructor(options: PairingsOptions) {
    this.#options = options;
    this.#codes = new Codes(options.now);
  }

  showCode(settings: LinkSettings): Code {
    return this.#codes.make(settings);
  }

  /** Another station asks to be paired. */
  begin({ nonce, id, number }: z.output<typeof PairingQuestion>, { from }: Arrival): z.input<typeof PairingOffer> {
    const station = this.#options.own();
    this.#demandPatience(from);
    if (id === station.id) throw new Refusal('sync.itself');
    if (this.#codes.open().length === 0) throw new Refusal('sync.wrongCode');
    this.#forgetOld();
    const pairing = randomToken();
    const ours = randomToken();
    this.#begun.set(pairing, { nonce: ours, theirNonce: nonce, end: this.#options.now() + PAIRING_LIFE });
    const { known } = this.#options;
    const free = known.otherWith(number, id) ? (known.freeNumber() ?? null) : undefined;
    return { pairing, nonce: ours, station, ...(free !== undefined && { free }) };
  }

  /** Checks the proof of the other station, makes the link, and proves to know the code too. */
  finish(asked: z.output<typeof PairingProof>, arrival: Arrival): Promise<z.input<typeof PairingAnswer>> {
    const begun = this.#begun.get(asked.pairing);
    this.#begun.delete(asked.pairing);
    if (!begun || begun.end < this.#options.now()) throw new Refusal('sync.notBegun');
    if (arrival.certificate === '' && !arrival.isLoopback) throw new Refusal('sync.pairOverTls');
    this.#demandPatience(arrival.from);
    if (this.#waiting >= MOST_WAITING) throw new Refusal('sync.tooManyPairings');
    this.#waiting++;
    // One after another, so that the tries are counted before the next one.
    return this.#tries.run(() => this.#check(asked, begun, arrival)).finally(() => this.#waiting--);
  }

  async #check(
    asked: z.output<typeof PairingProof>,
    { nonce, theirNonce }: PairedLink,
    { certificate, from }: Arrival,
  ): Promise<z.input<typeof PairingAnswer>> {
    const listener = { ...this.#options.own(), nonce };
    const { station, address, seen, settings } = asked;
    const transcript: Transcript = { dialler: { ...station, nonce: theirNonce, address }, listener, seen, settings };
    for (const code of this.#codes.open()) {
      const key = await pairingKey(readCode(code.code)!, theirNonce, nonce);
      if (!isProof(key, 'dialler', transcript, asked.proof)) continue;
      if (seen !== certificate) throw new Refusal('sync.inBetween');
      if (this.#options.known.otherWith(station.number, station.id))
        throw new Refusal('sync.numberTaken', { number: station.number });
      const ours = settings.standby ? this.#settingsForStandby(code.settings) : code.settings;
      this.#codes.used(code);
      const proof = proofOf(key, 'listener', { ...transcript, settings: ours });
      await this.#options.made({
        station: { id: station.id, number: station.number, name: station.name },
        publicKey: station.publicKey,
        fingerprint: station.fingerprint,
        address: address === null ? null : stationAddress(address).origin,
        isAddressGiven: false,
        ownAddress: 'auto',
        settings: ours,
        theirSettings: settings,
        dialledBy: 'them',
      });
      return { settings: sentSettings(ours), proof };
    }
    this.#codes.failed();
    this.#failures.set(from, [...(this.#failures.get(from) ?? []), this.#options.now()].slice(-MOST_TRIES));
    this.#options.refused(from, 'it did not know the code of the pairing');
    throw new Refusal('sync.wrongCode');
  }

  /** Of this side, if the station that enters the code will follow this one completely. */
  #settingsForStandby(settings: LinkSettings): LinkSettings {
    const { own, following } = this.#options;
    const leader = following();
    if (leader) throw new Refusal('sync.followsItself', { name: own().name, leader: leader.name });
    if (settings.organizations || settings.readOnly) throw new Refusal('sync.limitedCode', { name: own().name });
    return { ...settings, tracks: 'all' };
  }

  /** Pairs with the station that shows the code. Throws a Refusal in words for the operator. */
  async pair(order: PairingOrder): Promise<LinkRow> {
    const { own, ownAddress, mayRenumber, renumber, made } = this.#options;
    const address = stationAddress(order.address);
    const given = order.ownAddress == null ? order.ownAddress : stationAddress(order.ownAddress).origin;
    const code = readCode(order.code);
    if (code === undefined) throw new Refusal('sync.wrongCode');

    const reached = await reach(address);
    const isLoopback = isLoopbackAddress(reached.socket.remoteAddress);
    const nonce = randomToken();
    const localAddress = reached.socket.localAddress;
    const offer = await askStation(
      reached,
      address,
      '/links/pairings',
      { nonce, id: own().id, number: own().number },
      PairingOffer,
    ).finally(() => reached.socket.destroy());
    if (offer.station.id === own().id) throw new Refusal('sync.itself');
    if (order.settings.standby) this.#options.requireFresh(offer.station.id);
    if (address.protocol === 'https:' && offer.station.fingerprint !== reached.fingerprint)
      throw new Refusal('sync.inBetween');
    if (offer.free === null) throw new Refusal('sync.noFreeNumber');
    const number = offer.free ?? own().number;
    if (number !== own().number && !mayRenumber()) throw new Refusal('sync.numberFixed', { number: own().number });

    const station = { ...own(), number };
    const dialler = { ...station, nonce, address: given === undefined ? ownAddress(localAddress, isLoopback) : given };
    const key = await pairingKey(code, nonce, offer.nonce);
    const transcript: Transcript = {
      dialler,
      listener: { ...offer.station, nonce: offer.nonce },
      seen: reached.fingerprint,
      settings: order.settings,
    };
    const again = await reachPinned(address, reached.fingerprint);
    const answer = await askStation(
      again,
      address,
      '/links/pairings/proof',
      {
        pairing: offer.pairing,
        station,
        address: dialler.address,
        seen: transcript.seen,
        settings: transcript.settings,
        proof: proofOf(key, 'dialler', transcript),
      },
      PairingAnswer,
    ).finally(() => again.socket.destroy());
    if (!isProof(key, 'listener', { ...transcript, settings: answer.settings }, answer.proof))
      throw new Refusal('sync.unknownCode');
    if (number !== own().number) await renumber(number);
    const { publicKey, fingerprint } = offer.station;
    return made({
      station: { id: offer.station.id, number: offer.station.number, name: offer.station.name },
      publicKey,
      fingerprint,
      address: address.origin,
      isAddressGiven: true,
      ownAddress: given === undefined ? 'auto' : (given ?? 'none'),
      settings: order.settings,
      theirSettings: answer.settings,
      dialledBy: 'us',
    });
  }

  #demandPatience(from: string): void {
    const now = this.#options.now();
    for (const [address, times] of this.#failures)
      if (!times.some((at) => Math.abs(now - at) < TRIES_WINDOW)) this.#failures.delete(address);
    const recent = (this.#failures.get(from) ?? []).filter((at) => Math.abs(now - at) < TRIES_WINDOW);
    if (recent.length >= MOST_TRIES) throw new Refusal('sync.tooManyCodes');
  }

  #forgetOld(): void {
    for (const [pairing, { end }] of this.#begun)
      if (end < this.#options.now() || this.#begun.size >= MOST_PAIRINGS) this.#begun.delete(pairing);
      else break;
  }
}
