import type { WebSocket } from 'ws';

/** Longest message in bytes that is handled at once. A longer one, a list of vehicles, takes milliseconds. */
const IMMEDIATE_SIZE = 2048;
/** Long messages of all clients together take at most 1/LOOP_SHARE of the event loop's time. */
const LOOP_SHARE = 5;

type MessageSource = Pick<WebSocket, 'readyState' | 'OPEN' | 'pause' | 'resume'>;

/**
 * Handles short messages at once and long ones in turn. Pauses reading from a client while its messages wait
 * (backpressure).
 */
export class MessageQueue {
  /** Clients in the order of their turns, each with its messages in order of arrival. */
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

  /** Drops the messages of a disconnected client. */
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
