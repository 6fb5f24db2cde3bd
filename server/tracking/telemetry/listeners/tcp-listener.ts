import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ProtocolError, type Conversation, type Decoder, type DecodeFault, type Item } from '../decoders/decoder.ts';
import { listenForDatagrams, type DroppedDatagrams } from './udp-listener.ts';
import { PROVED, senderAt, type Sender } from '../quarantine/quarantine-quota.ts';
import { completeRecord } from '../decoders/reread.ts';
import { store } from './store-records.ts';
import type { IngestResult, IngestCallback } from '../ingest/ingest-result.ts';

/** A connected device that takes commands. */
export interface CommandLink {
  readonly protocol: string;
  /** False: nothing was written. */
  send(text: string): boolean;
}

export interface CommandLinkEvents {
  answered(answer: { readonly text: string; readonly isRefusal: boolean }): void;
  closed(): void;
}

/** The parts of the station that a listener uses. */
export interface DeviceGateway {
  /** The vehicle of a device, by IMEI or device number. An empty password accepts any. */
  find(device: string): { id: number; glonassId: number; password: string } | undefined;
  /** Resolves when every record is on disk. */
  ingest(records: readonly unknown[], source: string, sender: Sender): Promise<IngestResult>;
  /** Like `ingest`, for one record: thousands of devices wait at the same time. */
  ingestOne(record: object, source: string, waits: IngestCallback, sender: Sender): void;
  /** Resolves with how many of them are on disk: the number per sender is limited. */
  quarantine(faults: readonly DecodeFault[], source: string, device: string, sender: Sender): Promise<number>;
  /** Counts a device without a vehicle. */
  unknown(device: string): void;
  /** Called when the device of a vehicle has logged in and takes commands. Undefined: nobody sends any. */
  connected?(vehicleId: number, link: CommandLink): CommandLinkEvents;
  /** Called once per window with how many datagrams were dropped. */
  datagramsDropped(counts: DroppedDatagrams, source: string): void;
  now(): number;
}

interface ListenerLimits {
  connections: number;
  connectionsPerAddress: number;
  /** ms without a byte until a connection is closed; devices keep theirs alive more often. */
  idle: number;
  /** ms from connecting to the login */
  login: number;
  /** Bytes of incomplete packets, of all connections of a listener. */
  held: number;
}

/** Mobile operators put thousands of devices behind one address. */
export const LIMITS: ListenerLimits = {
  connections: 20_000,
  connectionsPerAddress: 5_000,
  idle: 15 * 60_000,
  login: 60_000,
  held: 256_000_000,
};

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens for devices that speak one protocol, over TCP and, if the protocol has datagrams, UDP on the same
 * port. It survives any input.
 */
export async function listenForDevices(
  decoder: Decoder,
  gateway: DeviceGateway,
  at: { host: string; port: number },
  limits: ListenerLimits = LIMITS,
): Promise<Listener> {
  const connections = new Set<Socket>();
  const perAddress = new Map<string, number>();
  const held = { bytes: 0 };
  // Half open: a device that sends its last record and closes its side still gets the answer.
  const server = createServer({ keepAlive: true, noDelay: true, allowHalfOpen: true }, (socket) => {
    const address = socket.remoteAddress ?? '';
    const fromThere = perAddress.get(address) ?? 0;
    if (connections.size >= limits.connections || fromThere >= limits.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    connections.add(socket);
    perAddress.set(address, fromThere + 1);
    socket.on('close', () => {
      connections.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    new DeviceConnection(socket, decoder, gateway, limits, held).listen();
  });
  await listening(server, at);
  const { port } = server.address() as AddressInfo;
  const datagrams = decoder.datagram ? await listenForDatagrams(decoder, gateway, { host: at.host, port }) : undefined;
  return {
    port,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of connections) socket.destroy();
      datagrams?.close();
      await closed;
    },
  };
}

/**
 * Connections that the system accepts before us. After a restart all devices come back at once; above this
 * they wait for seconds.
 */
const BACKLOG = 4_096;
/** Bytes that may wait while an item is stored. Above that the socket is paused. */
const MAX_WAITING = 64 * 1024;
/**
 * Bytes that a connection may hold before its login. After it, a connection may hold this much even while all
 * together hold too much.
 */
const SMALL_BUFFER = 66_000;

const NO_ITEMS: readonly Item[] = [];

/** One device, or a feed of many, on one connection: items are handled in turn. */
export class DeviceConnection implements IngestCallback {
  readonly #socket: Socket;
  readonly #source: string;
  readonly #passwords: boolean;
  readonly #isFeed: boolean;
  readonly #gateway: DeviceGateway;
  readonly #conversation: Conversation;
  readonly #limits: ListenerLimits;
  /** Bytes that all connections of the listener hold, and this one. */
  readonly #heldByAll: { bytes: number };
  #held = 0;
  #sender: Sender;
  #device = '';
  #vehicle: ReturnType<DeviceGateway['find']>;
  #commands: CommandLinkEvents | undefined;
  /** The items decoded last, and the index of the next one. */
  #items = NO_ITEMS;
  #turn = 0;
  /** An item is being stored, or earlier answers are not read. */
  #isWaiting = false;
  /** Bytes that arrived meanwhile. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #ended = false;

  constructor(
    socket: Socket,
    decoder: Decoder,
    gateway: DeviceGateway,
    limits: ListenerLimits,
    heldByAll: { bytes: number },
  ) {
    this.#socket = socket;
    this.#source = decoder.name;
    this.#sender = senderAt(socket.remoteAddress ?? '');
    this.#passwords = decoder.passwords;
    this.#isFeed = decoder.isFeed === true;
    this.#gateway = gateway;
    this.#limits = limits;
    this.#heldByAll = heldByAll;
    this.#conversation = decoder.converse(() => gateway.now());
  }

  listen(): void {
    const socket = this.#socket;
    const login = setTimeout(() => this.#device === '' && !this.#isFeed && socket.destroy(), this.#limits.login);
    socket.setTimeout(this.#limits.idle, () => socket.destroy());
    socket.on('error', () => undefined); // 'close' reports it
    socket.on('close', () => {
      clearTimeout(login);
      this.#commands?.closed();
      this.#checkMemory(0);
    });
    socket.on('data', (bytes: Buffer) => {
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
      if (!this.#isWaiting) this.#process();
      else if (this.#waitingBytes > MAX_WAITING) socket.pause();
    });
    socket.on('end', () => {
      this.#ended = true;
      if (!this.#isWaiting) socket.end();
    });
  }

  stored(onDisk: boolean): void {
    this.#answer((this.#items[this.#turn - 1] as Extract<Item, { kind: 'records' }>).answer(onDisk ? 1 : 0, 0));
  }

  failed(error: unknown): void {
    void this.#end(error);
  }

  /** Handles items in order until one has to wait. */
  #process(): void {
    const socket = this.#socket;
    this.#isWaiting = false;
    try {
      while (!this.#isWaiting && !socket.destroyed) {
        if (this.#turn === this.#items.length) {
          [this.#items, this.#turn] = [NO_ITEMS, 0];
          if (this.#waiting.length === 0) break;
          this.#decode();
        } else if (socket.writableNeedDrain) {
          // A device that sends requests and never reads would fill the memory with answers.
          this.#isWaiting = true;
          socket.once('drain', () => this.#process());
        } else this.#handle(this.#items[this.#turn++]!);
      }
      if (this.#ended && !this.#isWaiting) socket.end();
    } catch (error) {
      this.#isWaiting = true;
      this.failed(error);
    }
  }

  /**
   * Closes the connection without an answer, so the device sends unconfirmed records again. A negative code
   * would let it drop the record.
   */
  async #end(error: unknown): Promise<void> {
    if (error instanceof ProtocolError)
      await this.#gateway
        .quarantine([{ reason: error.message, raw: error.raw }], this.#source, this.#device, this.#sender)
        .catch(() => undefined);
    this.#socket.destroy();
  }

  #decode(): void {
    const waiting = this.#waiting;
    [this.#waiting, this.#waitingBytes] = [[], 0];
    if (this.#socket.isPaused()) this.#socket.resume();
    this.#items = this.#conversation.push(waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting));
    this.#checkMemory(this.#conversation.held);
  }

  #checkMemory(bytes: number): void {
    this.#heldByAll.bytes += bytes - this.#held;
    this.#held = bytes;
    const tooMuch = this.#heldByAll.bytes > this.#limits.held;
    if (bytes > 0 && (this.#device === '' ? tooMuch || bytes > SMALL_BUFFER : tooMuch && bytes > SMALL_BUFFER))
      this.#socket.destroy();
  }

  /** Answers at once, or waits until it can. */
  #handle(item: Item): void {
    switch (item.kind) {
      case 'login':
        return this.#logIn(item);
      case 'records':
        return this.#store(item);
      case 'fault':
        return this.#await(
          this.#gateway.quarantine([item.fault], this.#source, this.#device, this.#sender).then(() => item.answer()),
        );
      case 'message':
        return this.#write(item.answer(this.#vehicle !== undefined));
      case 'ping':
        return this.#write(item.answer());
      case 'answer':
        return this.#commands?.answered(item);
    }
  }

  #logIn(item: Extract<Item, { kind: 'login' }>): void {
    this.#device = item.device;
    const found = this.#gateway.find(item.device);
    const isRight = found && (!this.#passwords || found.password === '' || found.password === item.password);
    if (!found) this.#gateway.unknown(item.device);
    if (isRight) this.#vehicle = found;
    if (isRight && this.#passwords && found.password !== '') this.#sender = PROVED;
    this.#write(item.answer(isRight ? 'accepted' : found ? 'wrong-password' : 'unknown'));
    if (this.#vehicle) return this.#takeCommands(this.#vehicle.id);
    this.#isWaiting = true;
    this.#socket.end(() => this.#socket.destroy());
  }

  /** Offers the device for commands, as long as it belongs to this vehicle. */
  #takeCommands(vehicleId: number): void {
    this.#commands?.closed();
    const { command } = this.#conversation;
    if (!command) return;
    this.#commands = this.#gateway.connected?.(vehicleId, {
      protocol: this.#source,
      send: (text) => {
        const isTheirs = this.#gateway.find(this.#device)?.id === vehicleId;
        if (!isTheirs || !this.#socket.writable || this.#socket.destroyed) return false;
        this.#socket.write(command.call(this.#conversation, text));
        return true;
      },
    });
  }

  #store(item: Extract<Item, { kind: 'records' }>): void {
    const { device, records, faults } = item;
    const vehicle = this.#vehicle;
    // One promise per waiting device would be most of the garbage collector's work, so there are none here.
    if (vehicle && device === undefined && records.length === 1 && faults.length === 0) {
      this.#isWaiting = true;
      return this.#gateway.ingestOne(
        completeRecord(records[0]!, vehicle.glonassId, this.#gateway.now()),
        this.#source,
        this,
        this.#sender,
      );
    }
    this.#await(
      store(
        item,
        vehicle,
        { device: this.#device, source: this.#source, sender: this.#sender, isFeed: this.#isFeed },
        this.#gateway,
      ),
    );
  }

  #await(answer: Promise<Uint8Array | undefined>): void {
    this.#isWaiting = true;
    answer.then(
      (bytes) => this.#answer(bytes),
      (error: unknown) => this.failed(error),
    );
  }

  #answer(bytes: Uint8Array | undefined): void {
    this.#write(bytes);
    this.#process();
  }

  #write(answer: Uint8Array | undefined): void {
    if (answer && this.#socket.writable) this.#socket.write(answer);
  }
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen({ port: at.port, host: at.host, backlog: BACKLOG }, () => {
      server.off('error', failed);
      server.on('error', () => undefined);
      done();
    });
  });
}
