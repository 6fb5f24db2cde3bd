/**
 * A client of HTTP that costs next to nothing, on a thread of its own: what is measured is the server. Each
 * of its connections is kept and asks for the next path when the answer to the last one is there; what every
 * answer took is posted when all have come. A status of 0 is an answer that never came.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';

export interface HttpOrder {
  readonly port: number;
  readonly clients: number;
  readonly paths: readonly string[];
}

export interface HttpTimes {
  /** ms and HTTP status by the order of the paths. */
  readonly taken: Float64Array;
  readonly statuses: Uint16Array;
  /** ms from the first question to the last answer. */
  readonly whole: number;
}

parentPort!.on('message', (order: HttpOrder) => void ask(order).then((times) => parentPort!.postMessage(times)));

async function ask({ port, clients, paths }: HttpOrder): Promise<HttpTimes> {
  const taken = new Float64Array(paths.length);
  const statuses = new Uint16Array(paths.length);
  const sockets = await Promise.all(Array.from({ length: clients }, () => opened(port)));
  const began = performance.now();
  let next = 0;
  await Promise.all(
    sockets.map(async (socket) => {
      const connection = new Connection(socket);
      while (next < paths.length) {
        const i = next++;
        const from = performance.now();
        statuses[i] = await connection.get(paths[i]!);
        taken[i] = performance.now() - from;
      }
      socket.destroy();
    }),
  );
  return { taken, statuses, whole: performance.now() - began };
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket.setNoDelay()));
    socket.once('error', reject);
  });
}

/** One connection: answers with `Content-Length` are counted, chunked ones end with the empty chunk. */
class Connection {
  readonly #socket: Socket;
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  /** Bytes of the body yet to come; undefined while the head is not whole, Infinity of a chunked one. */
  #rest: number | undefined;
  #done: ((status: number) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('close', () => this.#done?.(0));
  }

  get(path: string): Promise<number> {
    this.#head = Buffer.alloc(0);
    this.#rest = undefined;
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
    });
  }

  #take(bytes: Buffer): void {
    let body = bytes;
    if (this.#rest === undefined) {
      this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#head.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      this.#rest = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Infinity);
      body = this.#head.subarray(end + 4);
    }
    this.#rest -= body.length;
    const over = this.#rest === Infinity ? bytes.subarray(-5).equals(LAST_CHUNK) : this.#rest <= 0;
    if (over) this.#done!(this.#status);
  }
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');
