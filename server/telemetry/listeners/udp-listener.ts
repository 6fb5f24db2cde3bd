import { createSocket, type Socket } from 'node:dgram';
import { Gibberish, type Decoder, type Fault, type Item } from '../decoders/decoder.ts';
import type { DeviceDesk } from './tcp-listener.ts';
import { senderAt } from '../quarantine/quarantine-quota.ts';
import { store, type Origin } from './store-records.ts';

export interface DatagramLimits {
  /**
   * What may wait for the disk: packets of datagrams, and bytes of them. A datagram that comes when there are
   * so many is let go: its sender gets no answer, and sends again.
   */
  readonly underWay: number;
  readonly bytes: number;
  /**
   * Datagrams of nobody known that cannot be read and are kept aside, within `span` ms; the others are
   * counted.
   */
  readonly aside: number;
  readonly span: number;
}

/**
 * Anybody can send datagrams under any name, as many as the line carries: the quarantine is for what a person
 * may want to look at.
 */
export const DATAGRAM_LIMITS: DatagramLimits = { underWay: 2_000, bytes: 16_000_000, aside: 100, span: 60_000 };

/** Datagrams that were not handled, within a span. */
export interface LetGo {
  /** Could not be read, and came from nobody known. */
  unreadable: number;
  /** Came while too many waited for the disk. */
  waiting: number;
}

export interface DatagramListener {
  readonly port: number;
  close(): void;
}

/** Listens for datagrams of one protocol on a port. */
export async function listenForDatagrams(
  decoder: Decoder,
  desk: DeviceDesk,
  at: { host: string; port: number },
  limits = DATAGRAM_LIMITS,
): Promise<DatagramListener> {
  const socket = createSocket(at.host.includes(':') ? 'udp6' : 'udp4');
  const datagrams = new Datagrams(decoder, desk, limits);
  socket.on('message', (bytes, peer) => datagrams.receive(bytes, peer.address, (answer) => send(socket, answer, peer)));
  await new Promise<void>((done, failed) => socket.once('error', failed).bind(at.port, at.host, done));
  socket.on('error', () => undefined);
  let isOpen = true;
  return {
    port: socket.address().port,
    close() {
      if (!isOpen) return;
      isOpen = false;
      datagrams.close();
      socket.close();
    },
  };
}

/** An answer that cannot be sent is none; the device sends again. */
function send(socket: Socket, answer: Uint8Array, { port, address }: { port: number; address: string }): void {
  try {
    socket.send(answer, port, address, () => undefined);
  } catch {
    // It was closed meanwhile.
  }
}

/**
 * Datagrams of one port: each is a conversation of its own. What the whole world may send takes neither
 * memory nor disk without bound, and what is let go is counted.
 */
export class Datagrams {
  readonly #decoder: Decoder;
  readonly #desk: DeviceDesk;
  readonly #limits: DatagramLimits;
  #underWay = 0;
  #bytes = 0;
  #aside = 0;
  #letGo: LetGo = { unreadable: 0, waiting: 0 };
  /** Runs from the first datagram of a span that is kept aside, or let go. */
  #span: NodeJS.Timeout | undefined;

  constructor(decoder: Decoder, desk: DeviceDesk, limits: DatagramLimits) {
    this.#decoder = decoder;
    this.#desk = desk;
    this.#limits = limits;
  }

  receive(bytes: Uint8Array, address: string, answer: (bytes: Uint8Array) => void): void {
    if (this.#underWay >= this.#limits.underWay || this.#bytes + bytes.length > this.#limits.bytes)
      return this.#count('waiting');
    const { device, items: said } = this.#read(bytes);
    const vehicle = device === undefined ? undefined : this.#desk.find(device);
    const items = vehicle ? said : ofNobodyKnown(said);
    if (!vehicle && items.some(({ kind }) => kind === 'fault') && !this.#takesAside()) return this.#count('unreadable');
    this.#underWay += items.length;
    this.#bytes += bytes.length;
    // A device that hears nothing sends again.
    this.#handle(
      items,
      vehicle,
      { device: device ?? '', source: this.#decoder.name, sender: senderAt(address) },
      answer,
    )
      .catch(() => undefined)
      .finally(() => {
        this.#underWay -= items.length;
        this.#bytes -= bytes.length;
      });
  }

  close(): void {
    this.#tell();
  }

  #read(bytes: Uint8Array): { device: string | undefined; items: readonly Item[] } {
    try {
      return this.#decoder.datagram!(bytes, () => this.#desk.now());
    } catch (error) {
      if (!(error instanceof Gibberish)) throw error;
      return {
        device: undefined,
        items: [
          { kind: 'fault', fault: { reason: error.message, raw: error.raw } satisfies Fault, answer: () => undefined },
        ],
      };
    }
  }

  async #handle(
    items: readonly Item[],
    vehicle: ReturnType<DeviceDesk['find']>,
    from: Origin,
    answer: (bytes: Uint8Array) => void,
  ): Promise<void> {
    for (const item of items) {
      const bytes = await this.#answerTo(item, vehicle, from);
      if (bytes) answer(bytes);
    }
  }

  async #answerTo(item: Item, vehicle: ReturnType<DeviceDesk['find']>, from: Origin): Promise<Uint8Array | undefined> {
    switch (item.kind) {
      case 'login':
        return item.answer(vehicle ? 'accepted' : 'unknown');
      case 'records':
        return store(item, vehicle, from, this.#desk);
      case 'fault':
        await this.#desk.quarantine([item.fault], from.source, from.device, from.sender);
        return item.answer();
      case 'message':
        return item.answer(false);
      case 'ping':
        return item.answer();
    }
  }

  #takesAside(): boolean {
    this.#begin();
    return ++this.#aside <= this.#limits.aside;
  }

  #count(what: keyof LetGo): void {
    this.#begin();
    this.#letGo[what]++;
  }

  #begin(): void {
    this.#span ??= setTimeout(() => this.#tell(), this.#limits.span).unref();
  }

  #tell(): void {
    clearTimeout(this.#span);
    this.#span = undefined;
    this.#aside = 0;
    if (this.#letGo.unreadable + this.#letGo.waiting > 0) this.#desk.letGo(this.#letGo, this.#decoder.name);
    this.#letGo = { unreadable: 0, waiting: 0 };
  }
}

/**
 * Nothing of it is stored but faults: one entry of the quarantine for a datagram, and one answer to an
 * address that may be somebody else's.
 */
function ofNobodyKnown(items: readonly Item[]): readonly Item[] {
  const first = items.find(({ kind }) => kind === 'fault') ?? items[0];
  return first ? [first] : [];
}
