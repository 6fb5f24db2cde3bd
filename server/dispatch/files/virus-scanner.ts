import { createReadStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Refusal } from '../../../shared/refusal.ts';

/** ms in which the scanner must say something about a file that it has in full. */
const PATIENCE = 120_000;
/** Longest answer that is read. */
const LONGEST = 4096;

/**
 * Asks clamd of ClamAV about files, by its command INSTREAM: the bytes in pieces behind their length, then a zero. A
 * file that it has not called clean is refused, also while it does not answer.
 */
export class VirusScanner {
  readonly #address: string;
  readonly #report: (message: string) => void;

  /** @param address path of its socket, or HOST:PORT */
  constructor(address: string, report: (message: string) => void) {
    this.#address = address;
    this.#report = report;
  }

  /** Refuses unless the scanner calls the file clean. */
  async require(path: string): Promise<void> {
    let answer: string;
    try {
      answer = await this.#ask(path);
    } catch (error) {
      this.#report(`The virus scanner ${this.#address} does not answer: ${(error as Error).message}`);
      throw new Refusal('files.notScanned', {}, { cause: error });
    }
    if (answer === 'stream: OK') return;
    const name = /^stream: (.+) FOUND$/.exec(answer)?.[1];
    this.#report(`The virus scanner says of an upload: ${answer}`);
    throw name === undefined ? new Refusal('files.notScanned') : new Refusal('files.infected', { name });
  }

  async #ask(path: string): Promise<string> {
    const socket = this.#connect();
    const answered = answerOf(socket);
    const sent = send(socket, path);
    // It may answer, and close, before it has the whole file.
    sent.catch(() => undefined);
    try {
      return await Promise.race([answered, sent.then(() => answered)]);
    } finally {
      socket.destroy();
    }
  }

  #connect(): Socket {
    const [, host, port] = /^(.*):(\d+)$/.exec(this.#address) ?? [];
    return host === undefined ? connect(this.#address) : connect(Number(port), host);
  }
}

async function send(socket: Socket, path: string): Promise<void> {
  socket.write('zINSTREAM\0');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(chunk.length);
    socket.write(head);
    if (!socket.write(chunk)) await drained(socket);
  }
  socket.write(Buffer.alloc(4));
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('drain', resolve).once('close', () => reject(new Error('It closed the connection.')));
  });
}

/** Its one answer, up to a zero byte. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setTimeout(PATIENCE, () => reject(new Error('It took too long.')));
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\0');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > LONGEST) reject(new Error('Its answer is too long.'));
    });
    socket.on('error', reject).on('close', () => reject(new Error('It closed the connection.')));
  });
}
