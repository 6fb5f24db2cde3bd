import type { WebSocket } from 'ws';

/**
 * Bytes of a message that is handled as it comes. Handling a longer one, a list of vehicles, takes
 * milliseconds.
 */
const IMMEDIATE_SIZE = 2048;
/**
 * Long messages take at most one part in so many of the event loop's time, however many clients send them.
 */
const LOOP_SHARE = 5;

type MessageSource = Pick<WebSocket, 'readyState' | 'OPEN' | 'pause' | 'resume'>;

/**
 * Handles what clients send: short messages at once, long ones in turn. A client whose messages wait is not
 * read from meanwhile.
 */
export class MessageQueue {
  /** Clients in the order of their turns, each with its messages in the order in which they came. */
  readonly #waiting = new Map<MessageSource, (() => void)[]>();
  #timer: NodeJS.Timeout | undefined;

  enqueue(line: MessageSource, bytes: number, handle: () => void): void {
    const before = this.#waiting.get(line);
    if (before) return void before.push(handle);
    if (bytes <= IMMEDIATE_SIZE) return handle();
    this.#waiting.set(line, [handle]);
    line.pause();
    this.#timer ??= setTimeout(() => this.#next(), 0);
  }

  /** The client has gone. */
  remove(line: MessageSource): void {
    this.#waiting.delete(line);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #next(): void {
    const began = performance.now();
    for (const [line, messages] of this.#waiting) {
      this.#waiting.delete(line);
      const handle = line.readyState === line.OPEN ? messages.shift() : undefined;
      handle?.();
      if (handle && messages.length > 0) this.#waiting.set(line, messages);
      else line.resume();
      if (handle) break;
    }
    const rest = (performance.now() - began) * (LOOP_SHARE - 1);
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => this.#next(), rest) : undefined;
  }
}
