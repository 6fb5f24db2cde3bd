import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Gibberish, type Conversation, type Decoder, type Fault, type Item } from './decoders/decoder.ts';
import { whole } from './reread.ts';
import type { Intake } from './telemetry.ts';

/** What a listener asks of the station. */
export interface DeviceDesk {
  /** The vehicle that carries a device, by IMEI or by the number of its unit. An empty password accepts any. */
  find(device: string): { id: number; glonassId: number; password: string } | undefined;
  /** Resolves when every record is on disk. */
  take(records: readonly unknown[], source: string): Promise<Intake>;
  /** Where the vehicle was last: for records without a position of their own. */
  lastPlace(vehicleId: number): { lat: number; lon: number } | undefined;
  quarantine(faults: readonly Fault[], source: string, device: string): Promise<void>;
  /** Counts a device that nobody knows. */
  unknown(device: string): void;
  now(): number;
}

interface ListenerLimits {
  connections: number;
  connectionsPerAddress: number;
  /** ms without a byte until a connection is closed; devices keep theirs alive more often. */
  idle: number;
  /** ms from connecting to the login */
  login: number;
}

/** Mobile operators put thousands of devices behind one address. */
export const LIMITS: ListenerLimits = { connections: 20_000, connectionsPerAddress: 5_000, idle: 15 * 60_000, login: 60_000 };

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for devices that speak one protocol, over TCP and, where the protocol has datagrams, UDP on the same port. It survives whatever bytes come. */
export async function listenForDevices(decoder: Decoder, desk: DeviceDesk, at: { host: string; port: number }, limits: ListenerLimits = LIMITS): Promise<Listener> {
  const connections = new Set<Socket>();
  const perAddress = new Map<string, number>();
  // Half open: who sends its last record and ends is answered when that is stored.
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
    new Connection(socket, decoder, desk, limits).listen();
  });
  await listening(server, at);
  const { port } = server.address() as AddressInfo;
  const datagrams = decoder.datagram ? await listenForDatagrams(decoder, desk, { host: at.host, port }) : undefined;
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

/** Bytes that may wait while an item is being stored; then no more is read. */
const MOST_WAITING = 64 * 1024;

/** One device on one connection: items are handled in turn. */
class Connection {
  readonly #socket: Socket;
  readonly #source: string;
  readonly #passwords: boolean;
  readonly #desk: DeviceDesk;
  readonly #conversation: Conversation;
  readonly #limits: ListenerLimits;
  #device = '';
  #vehicle: ReturnType<DeviceDesk['find']>;
  #working = false;
  /** What came while an item was being stored. */
  #waiting: Buffer[] = [];
  #ended = false;

  constructor(socket: Socket, decoder: Decoder, desk: DeviceDesk, limits: ListenerLimits) {
    this.#socket = socket;
    this.#source = decoder.name;
    this.#passwords = decoder.passwords;
    this.#desk = desk;
    this.#limits = limits;
    this.#conversation = decoder.converse(() => desk.now());
  }

  listen(): void {
    const socket = this.#socket;
    const login = setTimeout(() => this.#device === '' && socket.destroy(), this.#limits.login);
    socket.setTimeout(this.#limits.idle, () => socket.destroy());
    socket.on('error', () => undefined); // told by 'close'
    socket.on('close', () => clearTimeout(login));
    socket.on('data', (bytes: Buffer) => {
      if (this.#working) {
        this.#waiting.push(bytes);
        if (this.#waiting.reduce((sum, { length }) => sum + length, 0) > MOST_WAITING) socket.pause();
      } else void this.#work(bytes);
    });
    socket.on('end', () => {
      this.#ended = true;
      if (!this.#working) socket.end();
    });
  }

  /** Handles what came, and what comes meanwhile. */
  async #work(bytes: Buffer): Promise<void> {
    const socket = this.#socket;
    this.#working = true;
    try {
      for (let more: Buffer | undefined = bytes; more && !socket.destroyed; more = this.#came()) {
        for (const item of this.#conversation.push(more)) {
          const answer = await this.#handle(item);
          if (answer && socket.writable) socket.write(answer);
          if (item.kind === 'login' && !this.#vehicle) return void socket.end(() => socket.destroy());
        }
      }
      this.#working = false;
      if (this.#ended) socket.end();
    } catch (error) {
      // A broken connection is nothing to tell of; what was stored is stored, and what was not will be sent again.
      if (error instanceof Gibberish) await this.#desk.quarantine([{ reason: error.message, raw: error.raw }], this.#source, this.#device).catch(() => undefined);
      socket.destroy();
    }
  }

  #came(): Buffer | undefined {
    if (this.#waiting.length === 0) return undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#socket.isPaused()) this.#socket.resume();
    return waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
  }

  #handle(item: Item): Promise<Uint8Array | undefined> | Uint8Array | undefined {
    switch (item.kind) {
      case 'login': {
        this.#device = item.device;
        const found = this.#desk.find(item.device);
        if (!found) {
          this.#desk.unknown(item.device);
          return item.answer('unknown');
        }
        if (this.#passwords && found.password !== '' && found.password !== item.password) return item.answer('wrong-password');
        this.#vehicle = found;
        return item.answer('accepted');
      }
      case 'records':
        return store(item, this.#vehicle, this.#device, this.#source, this.#desk);
      case 'fault':
        return this.#desk.quarantine([item.fault], this.#source, this.#device).then(() => item.answer());
      case 'message':
        return item.answer(this.#vehicle !== undefined);
      case 'ping':
        return item.answer();
    }
  }
}

/** Stores what can be stored and quarantines the rest; the answer counts what is known by now, sent before or not. */
async function store(item: Extract<Item, { kind: 'records' }>, loggedIn: ReturnType<DeviceDesk['find']>, device: string, source: string, desk: DeviceDesk): Promise<Uint8Array | undefined> {
  // A packet that names its device is believed over the login, where the login is not somebody else's alone.
  const vehicle = (item.device === undefined ? undefined : desk.find(item.device)) ?? loggedIn;
  const name = item.device ?? device;
  if (!vehicle) {
    desk.unknown(name);
    return item.answer(0);
  }
  const placed: object[] = [];
  const faults: Fault[] = [...item.faults];
  for (const record of item.records) {
    const place = record.position ?? desk.lastPlace(vehicle.id);
    if (place) placed.push(whole(record, vehicle.glonassId, place, desk.now()));
    else faults.push({ reason: 'a record without a position, of a vehicle that never had one', raw: Buffer.from(JSON.stringify(record)) });
  }
  if (faults.length > 0) await desk.quarantine(faults, source, name);
  if (placed.length === 0) return item.answer(0);
  const { accepted, duplicates, quarantined } = await desk.take(placed, source);
  return item.answer(accepted + duplicates + quarantined.length);
}

async function listenForDatagrams(decoder: Decoder, desk: DeviceDesk, at: { host: string; port: number }): Promise<UdpSocket> {
  const socket = createSocket(at.host.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (bytes, peer) => {
    answerDatagram(decoder, desk, bytes).then(
      (answers) => answers.forEach((answer) => socket.send(answer, peer.port, peer.address)),
      () => undefined, // a device that hears nothing sends again
    );
  });
  await new Promise<void>((done, failed) => socket.once('error', failed).bind(at.port, at.host, done));
  socket.on('error', () => undefined);
  return socket;
}

async function answerDatagram(decoder: Decoder, desk: DeviceDesk, bytes: Uint8Array): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = [];
  let read: ReturnType<NonNullable<Decoder['datagram']>>;
  try {
    read = decoder.datagram!(bytes, () => desk.now());
  } catch (error) {
    if (!(error instanceof Gibberish)) throw error;
    await desk.quarantine([{ reason: error.message, raw: error.raw }], decoder.name, '');
    return answers;
  }
  const device = read.device ?? '';
  const vehicle = read.device === undefined ? undefined : desk.find(read.device);
  for (const item of read.items) {
    if (item.kind === 'fault') await desk.quarantine([item.fault], decoder.name, device);
    const answer = item.kind === 'records' ? await store(item, vehicle, device, decoder.name, desk) : item.kind === 'login' ? item.answer(vehicle ? 'accepted' : 'unknown') : item.kind === 'message' ? item.answer(false) : item.answer();
    if (answer) answers.push(answer);
  }
  return answers;
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(at.port, at.host, () => {
      server.off('error', failed);
      server.on('error', () => undefined);
      done();
    });
  });
}
