import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { Refusal } from '../../../../../shared/refusal.ts';
import { readReason, reason, sentenceOf, type Reason } from '../../../../../shared/refusals/reason.ts';
import type { ChannelAnswer, Channel, Link, Peer, RequestOptions } from '../../types.ts';
import { decodeFrame, encodeFrame, LARGEST_MESSAGE, type EncodedFrame, type Frame, type Priority } from './frames.ts';
import { Outbox } from './outbox.ts';

/** The connection to the other station is closed. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';
}

/** Milliseconds. Tests shorten them. */
export interface ConnectionTimings {
  readonly ping: number;
  /** A connection that receives no byte for so long is closed. */
  readonly silence: number;
  /** The same after a sleep of the machine or a change of the network. */
  readonly test: number;
  /** Without any byte from the other station a request fails after this. */
  readonly request: number;
  /** A request of an unknown kind waits so long for its handler. */
  readonly handler: number;
}

export const CONNECTION_TIMINGS: ConnectionTimings = {
  ping: 10_000,
  silence: 25_000,
  test: 5_000,
  request: 30_000,
  handler: 10_000,
};

interface ConnectionOptions {
  readonly link: Link;
  readonly timings: ConnectionTimings;
  /** Receives errors of handlers that are no refusals. */
  readonly report: (error: unknown) => void;
}

type Handler = Parameters<Channel['handle']>[1];

interface WaitingRequest {
  readonly resolve: (answered: ChannelAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A connection to a linked station over an authenticated WebSocket: requests with answers, cancellation and
 * notifications in both directions. A frame that cannot be read closes it.
 */
export class LinkConnection implements Channel {
  readonly link: Link;
  readonly closed: Promise<void>;
  readonly openedAt = performance.now();
  readonly #socket: WebSocket;
  readonly #raw: Socket;
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #handlers = new Map<string, Handler>();
  readonly #awaitedHandlers = new Map<string, (() => void)[]>();
  readonly #listeners = new Map<string, ((body: unknown) => void)[]>();
  readonly #waiting = new Map<number, WaitingRequest>();
  readonly #answering = new Map<number, AbortController>();
  readonly #parts = new Map<number, Buffer[]>();
  readonly #timer: NodeJS.Timeout;
  #partBytes = 0;
  #lastId = 0;
  #bytesSeen = 0;
  #heardAt = performance.now();
  #pingedAt = performance.now();
  #testedAt: number | undefined;
  #isClosed = false;
  #reason = '';
  #refusal: Reason | undefined;
  #peer: Peer | undefined;

  constructor(socket: WebSocket, raw: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#raw = raw;
    this.#options = options;
    this.link = options.link;
    this.#outbox = new Outbox({
      send: (frame, compress, sent) => socket.send(frame.data, { binary: !frame.text, compress }, sent),
    });
    let close: () => void;
    this.closed = new Promise((resolve) => (close = resolve));
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('error', (error) => (this.#reason ||= error.message));
    socket.on('close', (_code, reason) => {
      this.#reason ||= reason.toString();
      this.#end();
      close();
    });
    this.#timer = setInterval(() => this.#watch(), Math.min(1_000, options.timings.test / 2));
  }

  get peer(): Peer {
    if (!this.#peer) throw new Error('The handshake is not over.');
    return this.#peer;
  }

  /** Set once, by the handshake. */
  set peer(peer: Peer) {
    this.#peer = peer;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Why it was closed, in words; empty: nobody said. */
  get closeReason(): string {
    return this.#reason;
  }

  /** The same for programs, if this station closed it. */
  get closeRefusal(): Reason | undefined {
    return this.#refusal;
  }

  /** This end of the connection. */
  get local(): { readonly address: string | undefined; readonly isLoopback: boolean } {
    const { localAddress, remoteAddress = '' } = this.#raw;
    return { address: localAddress, isLoopback: /^(::ffff:)?127\.|^::1$/.test(remoteAddress) };
  }

  get bytes(): { readonly received: number; readonly sent: number } {
    return { received: this.#raw.bytesRead, sent: this.#raw.bytesWritten };
  }

  get queuedBytes(): number {
    return this.#outbox.queued;
  }

  async request<T>(kind: string, body: unknown, options: RequestOptions = {}): Promise<ChannelAnswer<T>> {
    const { signal, timeout = this.#options.timings.request, urgent = false } = options;
    signal?.throwIfAborted();
    if (!urgent) await this.#outbox.drained();
    if (this.#isClosed) throw this.#closedError();
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const encoded = encodeFrame({ type: 'request', id, kind, body, ...(urgent && { urgent }) });
    demandSize(encoded);
    return new Promise<ChannelAnswer>((resolve, reject) => {
      const settle = (): void => {
        clearInterval(timer);
        signal?.removeEventListener('abort', cancel);
        this.#waiting.delete(id);
      };
      const fail = (error: unknown): void => {
        settle();
        this.#put({ type: 'cancel', id }, 'urgent');
        reject(error as Error);
      };
      const cancel = () => fail(signal!.reason);
      const asked = performance.now();
      const timer = setInterval(() => {
        const silent = performance.now() - Math.max(asked, this.#heardAt);
        const waited = performance.now() - asked;
        // Pongs alone do not keep it open.
        if (silent > timeout || waited > 10 * timeout)
          fail(new Refusal('sync.slow', { seconds: Math.round(waited / 1000) }));
      }, timeout / 4);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(id, {
        resolve: (answered) => (settle(), resolve(answered)),
        reject: (error) => (settle(), reject(error)),
      });
      this.#outbox.put(encoded, urgent ? 'urgent' : 'normal');
    }) as Promise<ChannelAnswer<T>>;
  }

  notify(kind: string, body: unknown): void {
    this.#put({ type: 'notice', kind, body }, 'urgent');
  }

  handle(kind: string, handler: Handler): void {
    this.#handlers.set(kind, handler);
    for (const resolve of this.#awaitedHandlers.get(kind) ?? []) resolve();
    this.#awaitedHandlers.delete(kind);
  }

  onNotify(kind: string, listener: (body: unknown) => void): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  /** Closes it with a reason that the other station shows. */
  close(reason: string): void {
    this.#reason ||= reason;
    if (this.#isClosed) return;
    // A reason in a close frame has at most 123 bytes.
    this.#socket.close(1000, Buffer.from(reason).subarray(0, 120).toString().replace(/�$/, ''));
    setTimeout(() => this.#socket.terminate(), 1_000).unref();
    this.#end();
  }

  /** Closes it without waiting for the other station. */
  terminate(why: Reason | string): void {
    if (this.#reason === '' && typeof why !== 'string') this.#refusal = why;
    this.#reason ||= typeof why === 'string' ? why : sentenceOf(why);
    this.#end();
    this.#socket.terminate();
  }

  /** Demands a byte from the other station within a short time: the machine slept, or the network changed. */
  test(): void {
    if (this.#isClosed) return;
    this.#testedAt = performance.now();
    this.#socket.ping();
  }

  #watch(): void {
    const now = performance.now();
    const { ping, silence, test } = this.#options.timings;
    if (this.#raw.bytesRead !== this.#bytesSeen) {
      this.#bytesSeen = this.#raw.bytesRead;
      this.#heardAt = now;
      this.#testedAt = undefined;
    }
    if (now - this.#heardAt > silence)
      return this.terminate(reason('sync.silent', { seconds: Math.round(silence / 1000) }));
    if (this.#testedAt !== undefined && now - this.#testedAt > test)
      return this.terminate(reason('sync.noAnswerAfterSleep'));
    if (now - this.#pingedAt < ping) return;
    this.#pingedAt = now;
    this.#socket.ping();
  }

  #put(frame: Frame, priority: Priority, bytes?: Uint8Array): void {
    if (this.#isClosed) return;
    const encoded = encodeFrame(frame, bytes);
    demandSize(encoded);
    this.#outbox.put(encoded, priority);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return;
    const buffer = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
    try {
      this.#take(buffer, !isBinary);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) this.#options.report(error);
      this.close(refusal?.message ?? 'A frame could not be read.');
    }
  }

  #take(data: Buffer, text: boolean): void {
    const { frame, bytes } = decodeFrame(data, text);
    switch (frame.type) {
      case 'request':
        return void this.#answer(frame);
      case 'cancel':
        return this.#answering.get(frame.id)?.abort();
      case 'answer':
        return this.#waiting.get(frame.id)?.resolve({ body: frame.body, ...(bytes && { bytes }) });
      case 'failure':
        return this.#waiting
          .get(frame.id)
          ?.reject(new Refusal('sync.saidBusy', { fault: readReason(frame.refusal) ?? frame.message }));
      case 'notice':
        for (const listener of this.#listeners.get(frame.kind) ?? []) listener(frame.body);
        return;
      case 'received':
        return this.#outbox.confirmed(frame.bytes);
      case 'part':
        return this.#takePart(frame, bytes);
    }
  }

  #takePart({ id, last, text }: Extract<Frame, { type: 'part' }>, bytes: Buffer = Buffer.alloc(0)): void {
    if (bytes.length > 0) this.#put({ type: 'received', bytes: bytes.length }, 'urgent');
    this.#partBytes += bytes.length;
    if (this.#partBytes > 4 * LARGEST_MESSAGE) throw new Refusal('sync.incomplete');
    const parts = [...(this.#parts.get(id) ?? []), bytes];
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    if (size > LARGEST_MESSAGE + LARGEST_PART_HEADER) throw new Refusal('sync.tooLarge');
    if (!last) return void this.#parts.set(id, parts);
    this.#parts.delete(id);
    this.#partBytes -= size;
    const whole = Buffer.concat(parts);
    const { frame } = decodeFrame(whole, text);
    if (frame.type === 'part') throw new Refusal('sync.partOfPart');
    this.#take(whole, text);
  }

  async #answer({ id, kind, body, urgent = false }: Extract<Frame, { type: 'request' }>): Promise<void> {
    const abort = new AbortController();
    this.#answering.set(id, abort);
    try {
      const handler = await this.#handlerOf(kind);
      if (!handler) throw new Refusal('sync.noHandler', { question: kind });
      const answered = await handler(body, abort.signal);
      if (!urgent) await this.#outbox.drained();
      const priority = urgent ? 'urgent' : answered.isFile ? 'file' : 'normal';
      if (!abort.signal.aborted) this.#put({ type: 'answer', id, body: answered.body }, priority, answered.bytes);
    } catch (error) {
      if (abort.signal.aborted) return;
      const refusal = refusalOf(error);
      if (!refusal) this.#options.report(error);
      const { message, code, params } = refusal ?? new Refusal('sync.bug');
      const fits = JSON.stringify(params).length <= LONGEST_PARAMS;
      this.#put(
        { type: 'failure', id, message: message.slice(0, 2000), ...(fits && { refusal: { code, params } }) },
        urgent ? 'urgent' : 'normal',
      );
    } finally {
      this.#answering.delete(id);
    }
  }

  async #handlerOf(kind: string): Promise<Handler | undefined> {
    if (!this.#handlers.has(kind))
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#options.timings.handler);
        timer.unref();
        const found = () => (clearTimeout(timer), resolve());
        this.#awaitedHandlers.set(kind, [...(this.#awaitedHandlers.get(kind) ?? []), found]);
      });
    return this.#handlers.get(kind);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#outbox.close();
    this.#parts.clear();
    for (const abort of this.#answering.values()) abort.abort();
    for (const { reject } of this.#waiting.values()) reject(this.#closedError());
  }

  #closedError(): ChannelClosed {
    return new ChannelClosed(this.#reason || 'The connection to the other station is closed.');
  }
}

/** The fault in the message of the other station; undefined: the error is a bug here. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof z.ZodError) return new Refusal('sync.form', { problem: z.prettifyError(error) });
  return error instanceof Refusal ? error : undefined;
}

const LARGEST_PART_HEADER = 4096;
/** Characters of JSON; longer parameters of a refusal stay here, and its sentence goes. */
const LONGEST_PARAMS = 4_000;

function demandSize({ data }: EncodedFrame): void {
  if (data.length > LARGEST_MESSAGE) throw new Refusal('sync.tooLargeBytes', { bytes: data.length });
}
