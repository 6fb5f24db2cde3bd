import { encodeFrame, LARGEST_PART, type EncodedFrame, type Priority } from './frames.ts';

/** Queued bytes above which senders have to wait. */
const MOST_QUEUED = 8 * 1024 * 1024;
/** Bytes handed to the socket and not yet passed on to the system. */
const MOST_BUFFERED = 128 * 1024;
const SMALLEST_WINDOW = 16 * 1024;
const LARGEST_WINDOW = 4 * 1024 * 1024;
/** ms from sending a part to its confirmation: the window shrinks above the first, and grows below the second. */
const SLOW = 1_500;
const FAST = 500;

interface LongMessage {
  readonly id: number;
  readonly encoded: EncodedFrame;
  readonly isFile: boolean;
  offset: number;
}

interface OutboxOptions {
  /** Hands a frame to the socket; `sent` is called when the socket has passed it on. */
  readonly send: (frame: EncodedFrame, compress: boolean, sent: () => void) => void;
  /** Monotonic ms. */
  readonly now?: () => number;
}

/**
 * The order in which frames are sent. Urgent ones go at once. Long messages go in parts, files last. At most
 * a window of parts is unconfirmed, because data in the buffers of a slow line delay everything behind it.
 * The window halves when a confirmation is slow, and grows by a quarter when it is fast, like the window of
 * TCP.
 */
export class Outbox {
  readonly #send: OutboxOptions['send'];
  readonly #now: () => number;
  readonly #frames: EncodedFrame[] = [];
  readonly #long: LongMessage[] = [];
  readonly #files: LongMessage[] = [];
  readonly #unconfirmed: { bytes: number; sentAt: number }[] = [];
  #unconfirmedBytes = 0;
  /** Small at first: the speed of the line is not known yet, and too much for it would delay everything behind. */
  #window = 2 * SMALLEST_WINDOW;
  #buffered = 0;
  #queued = 0;
  #lastId = 0;
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor({ send, now = () => performance.now() }: OutboxOptions) {
    this.#send = send;
    this.#now = now;
  }

  /** Bytes that wait here. */
  get queued(): number {
    return this.#queued;
  }

  /** Resolves when there is room for more, or the connection is closed. */
  async drained(): Promise<void> {
    while (!this.#closed && this.#queued > MOST_QUEUED)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  put(encoded: EncodedFrame, priority: Priority): void {
    if (this.#closed) return;
    if (priority === 'urgent' && encoded.data.length <= LARGEST_PART) return this.#write(encoded, true);
    this.#queued += encoded.data.length;
    const isFile = priority === 'file';
    if (encoded.data.length <= SMALLEST_WINDOW && !isFile) this.#frames.push(encoded);
    else (isFile ? this.#files : this.#long).push({ id: ++this.#lastId, encoded, isFile, offset: 0 });
    this.#pump();
  }

  /** The other station has received so many bytes of parts. */
  confirmed(bytes: number): void {
    const part = this.#unconfirmed.shift();
    if (!part || part.bytes !== bytes) return;
    this.#unconfirmedBytes -= bytes;
    const took = this.#now() - part.sentAt;
    if (took > SLOW) this.#window = Math.max(SMALLEST_WINDOW, this.#window / 2);
    else if (took < FAST) this.#window = Math.min(LARGEST_WINDOW, this.#window * 1.25);
    this.#pump();
  }

  close(): void {
    this.#closed = true;
    for (const queue of [this.#frames, this.#long, this.#files]) queue.length = 0;
    this.#queued = 0;
    this.#wake();
  }

  #pump(): void {
    while (!this.#closed && this.#buffered < MOST_BUFFERED) {
      const frame = this.#frames.shift();
      if (frame) {
        this.#queued -= frame.data.length;
        this.#write(frame, true);
      } else if (!this.#writePart()) break;
    }
    if (this.#queued <= MOST_QUEUED) this.#wake();
  }

  /** False when there is nothing to send, or the window is full. */
  #writePart(): boolean {
    const queue = this.#long.length > 0 ? this.#long : this.#files;
    const [message] = queue;
    if (!message) return false;
    const size = Math.min(LARGEST_PART, Math.max(SMALLEST_WINDOW, Math.floor(this.#window / 2)));
    const { data, text } = message.encoded;
    const part = data.subarray(message.offset, message.offset + size);
    if (this.#unconfirmedBytes > 0 && this.#unconfirmedBytes + part.length > this.#window) return false;
    message.offset += part.length;
    const last = message.offset === data.length;
    if (last) queue.shift();
    this.#queued -= part.length;
    this.#unconfirmedBytes += part.length;
    this.#unconfirmed.push({ bytes: part.length, sentAt: this.#now() });
    this.#write(encodeFrame({ type: 'part', id: message.id, last, text }, part), !message.isFile);
    return true;
  }

  #write(frame: EncodedFrame, compress: boolean): void {
    this.#buffered += frame.data.length;
    this.#send(frame, compress, () => {
      this.#buffered -= frame.data.length;
      this.#pump();
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
