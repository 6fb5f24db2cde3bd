import { createSocket, type Socket } from 'node:dgram';
import { ProtocolError, type Decoder, type DecodeFault, type Item } from '../decoders/decoder.ts';
import type { DeviceGateway } from './tcp-listener.ts';
import { senderAt } from '../quarantine/quarantine-quota.ts';
import { store, type RecordSender } from './store-records.ts';

export interface DatagramLimits {
  /**
   * Packets, and bytes of them, that may wait for the disk. A datagram above that is dropped: its sender gets
   * no answer and sends again.
   */
  readonly inFlight: number;
  readonly bytes: number;
  /**
   * Unreadable datagrams of unknown devices that are quarantined within `window` ms. The others are counted.
   */
  readonly quarantined: number;
  readonly window: number;
}

/**
 * The datagram's device name is not trustworthy. The quarantine is for input that a person may want to see.
 */
export const DATAGRAM_LIMITS: DatagramLimits = { inFlight: 2_000, bytes: 16_000_000, quarantined: 100, window: 60_000 };

/** Datagrams that were dropped within a window. */
export interface DroppedDatagrams {
  /** Unreadable, of an unknown device. */
  unreadable: number;
  /** Dropped because too many waited for the disk. */
  waiting: number;
}

export interface DatagramListener {
  readonly port: number;
  close(): void;
}

/** Listens for datagrams of one protocol on a port. */
export async function listenForDatagrams(
  decoder: Decoder,
  gateway: DeviceGateway,
  at: { host: string; port: number },
  limits = DATAGRAM_LIMITS,
): Promise<DatagramListener> {
  const socket = createSocket(at.host.includes(':') ? 'udp6' : 'udp4');
  const datagrams = new Datagrams(decoder, gateway, limits);
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

/** If the answer cannot be sent, drop it: the device sends again. */
function send(socket: Socket, answer: Uint8Array, { port, address }: { port: number; address: string }): void {
  try {
    socket.send(answer, port, address, () => undefined);
  } catch {
    // It was closed meanwhile.
  }
}

/**
 * Datagrams of one port; each is a conversation of its own. Memory and disk are bounded, and what is dropped
 * is counted.
 */
export class Datagrams {
  readonly #decoder: Decoder;
  readonly #gateway: DeviceGateway;
  readonly #limits: DatagramLimits;
  #inFlight = 0;
  #bytes = 0;
  #quarantined = 0;
  #dropped: DroppedDatagrams = { unreadable: 0, waiting: 0 };
  /** Runs from the first datagram of a window that is quarantined or dropped. */
  #window: NodeJS.Timeout | undefined;

  constructor(decoder: Decoder, gateway: DeviceGateway, limits: DatagramLimits) {
    this.#decoder = decoder;
    this.#gateway = gateway;
    this.#limits = limits;
  }

  receive(bytes: Uint8Array, address: string, answer: (bytes: Uint8Array) => void): void {
    if (this.#inFlight >= this.#limits.inFlight || this.#bytes + bytes.length > this.#limits.bytes)
      return this.#count('waiting');
    const { device, items: said } = this.#read(bytes);
    const vehicle = device === undefined ? undefined : this.#gateway.find(device);
    const isFeed = this.#decoder.isFeed === true;
    const items = vehicle ? said : isFeed ? this.#ofFeed(said) : firstOfUnknown(said);
    if (!vehicle && !isFeed && items.some(({ kind }) => kind === 'fault') && !this.#mayQuarantine())
      return this.#count('unreadable');
    this.#inFlight += items.length;
    this.#bytes += bytes.length;
    // A device without an answer sends again.
    this.#handle(
      items,
      vehicle,
      { device: device ?? '', source: this.#decoder.name, sender: senderAt(address), isFeed },
      answer,
    )
      .catch(() => undefined)
      .finally(() => {
        this.#inFlight -= items.length;
        this.#bytes -= bytes.length;
      });
  }

  close(): void {
    this.#endWindow();
  }

  #read(bytes: Uint8Array): { device: string | undefined; items: readonly Item[] } {
    try {
      return this.#decoder.datagram!(bytes, () => this.#gateway.now());
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return {
        device: undefined,
        items: [
          {
            kind: 'fault',
            fault: { reason: error.message, raw: error.raw } satisfies DecodeFault,
            answer: () => undefined,
          },
        ],
      };
    }
  }

  async #handle(
    items: readonly Item[],
    vehicle: ReturnType<DeviceGateway['find']>,
    from: RecordSender,
    answer: (bytes: Uint8Array) => void,
  ): Promise<void> {
    for (const item of items) {
      const bytes = await this.#answerTo(item, vehicle, from);
      if (bytes) answer(bytes);
    }
  }

  async #answerTo(
    item: Item,
    vehicle: ReturnType<DeviceGateway['find']>,
    from: RecordSender,
  ): Promise<Uint8Array | undefined> {
    switch (item.kind) {
      case 'login':
        return item.answer(vehicle ? 'accepted' : 'unknown');
      case 'records':
        return store(item, vehicle, from, this.#gateway);
      case 'fault':
        await this.#gateway.quarantine([item.fault], from.source, from.device, from.sender);
        return item.answer();
      case 'message':
        return item.answer(false);
      case 'ping':
        return item.answer();
      case 'answer':
        return undefined; // Commands go over connections.
    }
  }

  /** Everything but faults for which the quarantine has no room now. */
  #ofFeed(items: readonly Item[]): readonly Item[] {
    return items.filter(({ kind }) => {
      const isTaken = kind !== 'fault' || this.#mayQuarantine();
      if (!isTaken) this.#count('unreadable');
      return isTaken;
    });
  }

  #mayQuarantine(): boolean {
    this.#beginWindow();
    return ++this.#quarantined <= this.#limits.quarantined;
  }

  #count(what: keyof DroppedDatagrams): void {
    this.#beginWindow();
    this.#dropped[what]++;
  }

  #beginWindow(): void {
    this.#window ??= setTimeout(() => this.#endWindow(), this.#limits.window).unref();
  }

  #endWindow(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#quarantined = 0;
    if (this.#dropped.unreadable + this.#dropped.waiting > 0)
      this.#gateway.datagramsDropped(this.#dropped, this.#decoder.name);
    this.#dropped = { unreadable: 0, waiting: 0 };
  }
}

/**
 * An unknown device gets one entry in the quarantine and one answer per datagram: its address may be forged.
 */
function firstOfUnknown(items: readonly Item[]): readonly Item[] {
  const first = items.find(({ kind }) => kind === 'fault') ?? items[0];
  return first ? [first] : [];
}
