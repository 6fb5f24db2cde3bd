import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** ms between two records; and until a device connects again. */
const PAUSE = 20;
const RECONNECT = 200;

/** A record as a device sends it. */
export interface DeviceRecord {
  /** Epoch ms, whole seconds. */
  readonly time: number;
  readonly line: string;
}

/**
 * A tracker that drives north, one record a second of its own clock. Like real ones it keeps a record until it is
 * confirmed, and tries its next server when a connection breaks.
 */
export class WialonDevice {
  readonly imei: string;
  /** Times of the records that were confirmed, in epoch ms. */
  readonly confirmed: number[] = [];
  readonly #ports: readonly number[];
  readonly #record: (at: number) => DeviceRecord;
  readonly #pause: number;
  readonly #run: Promise<void>;
  #next = 0;
  #port: number;
  #isStopped = false;
  #socket: Socket | undefined;

  /**
   * @param from its first time; or the records that it sends, by their place
   * @param first the port that it tries first, by its place
   * @param pauseBetween ms between two records
   */
  constructor(
    imei: string,
    ports: readonly number[],
    from: number | ((at: number) => DeviceRecord),
    first = 0,
    pauseBetween = PAUSE,
  ) {
    this.#pause = pauseBetween;
    this.imei = imei;
    this.#ports = ports;
    this.#record = typeof from === 'number' ? (at) => northward(from, at) : from;
    this.#port = first;
    this.#run = this.#drive();
  }

  /** Ends when the record that is under way is confirmed. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    await this.#run;
  }

  /** Ends at once. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#socket?.destroy();
    await this.#run;
  }

  async #drive(): Promise<void> {
    while (!this.#isStopped) {
      await this.#connected().catch(() => undefined);
      this.#port = (this.#port + 1) % this.#ports.length;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT));
    }
  }

  async #connected(): Promise<void> {
    const socket = connect(this.#ports[this.#port]!, '127.0.0.1');
    this.#socket = socket;
    const broken = new AbortController();
    socket.on('error', () => undefined); // 'close' reports it
    socket.once('close', () => broken.abort());
    const { signal } = broken;
    try {
      await once(socket, 'connect', { signal });
      if ((await ask(socket, `#L#${this.imei};NA`, signal)) !== '#AL#1') throw new Error('The login was refused.');
      while (!this.#isStopped) {
        const { time, line } = this.#record(this.#next);
        if ((await ask(socket, line, signal)) !== '#AD#1') throw new Error('It was not confirmed.');
        this.confirmed.push(time);
        this.#next++;
        await new Promise((resolve) => setTimeout(resolve, this.#pause));
      }
    } finally {
      socket.destroy();
    }
  }
}

async function ask(socket: Socket, line: string, broken: AbortSignal): Promise<string> {
  socket.write(`${line}\r\n`);
  const [bytes] = (await once(socket, 'data', { signal: broken })) as [Buffer];
  return bytes.toString().trim();
}

/** Ten metres a second, to the north. */
function northward(from: number, second: number): DeviceRecord {
  return wialonRecord({ time: from + second * 1000, north: second * 10, speed: 36 });
}

/** @param position `north` in metres from 35 degrees, `speed` in km/h */
export function wialonRecord({ time, north, speed }: { time: number; north: number; speed: number }): DeviceRecord {
  const [date, clock] = new Date(time).toISOString().split('T') as [string, string];
  const day = date.slice(8, 10) + date.slice(5, 7) + date.slice(2, 4);
  const [degrees, minutes] = [35 + Math.floor((north * 0.00054) / 60), (north * 0.00054) % 60];
  const latitude = `${degrees}${minutes.toFixed(4).padStart(7, '0')}`;
  const line = `#D#${day};${clock.slice(0, 8).replaceAll(':', '')};${latitude};N;01430.0000;E;${speed};0;20;9;1;0;0;;NA;`;
  return { time, line };
}
