import { delayBefore } from './reconnect.ts';

export interface LiveMessage {
  readonly command: string;
  readonly data: unknown;
}

export type SocketState = 'connecting' | 'open' | 'lost';

interface SocketListener {
  onState(state: SocketState): void;
  onMessage(message: LiveMessage): void;
}

/**
 * A silent line is asked after this long, so that a dead one is noticed although no cable was seen to come
 * out.
 */
const SILENCE_MS = 4_000;

/** The live connection to the station; reconnects by itself until `close`. */
export class LiveSocket {
  private readonly url: string;
  private readonly listener: SocketListener;
  /** Pings the station; rejects if it does not answer. */
  private readonly probe: () => Promise<unknown>;
  private socket: WebSocket | undefined;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly watch: ReturnType<typeof setInterval>;
  private probing = false;
  private closed = false;
  /** When the station was last heard, epoch ms; 0 never. */
  lastHeard = 0;

  constructor(url: string, listener: SocketListener, probe: () => Promise<unknown>) {
    this.url = url;
    this.listener = listener;
    this.probe = probe;
    this.watch = setInterval(() => void this.checkSilence(), 1_000);
    this.connect();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Sends when connected. What must reach the station after a reconnect is sent again by the listener's
   * `open`.
   */
  send(command: string, data: unknown): void {
    if (this.isOpen) this.socket!.send(JSON.stringify({ command, data }));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.watch);
    this.socket?.close();
  }

  private connect(): void {
    this.listener.onState('connecting');
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.lastHeard = Date.now();
      this.listener.onState('open');
    };
    socket.onmessage = (event) => {
      this.attempt = 0; // an open line alone may be one that the station closes at once, because the user has too many
      this.lastHeard = Date.now();
      const message = parse(event.data);
      if (message) this.listener.onMessage(message);
    };
    socket.onclose = () => this.lose(socket);
  }

  private lose(socket: WebSocket): void {
    if (this.closed || socket !== this.socket) return;
    this.socket = undefined;
    this.listener.onState('lost');
    this.retry = setTimeout(() => this.connect(), delayBefore(this.attempt++, Math.random()));
  }

  private async checkSilence(): Promise<void> {
    const socket = this.socket;
    if (!socket || !this.isOpen || this.probing || Date.now() - this.lastHeard < SILENCE_MS) return;
    this.probing = true;
    try {
      await this.probe();
      this.lastHeard = Date.now();
    } catch {
      socket.onclose = null; // a dead line may take minutes to close
      socket.close();
      this.lose(socket);
    } finally {
      this.probing = false;
    }
  }
}

function parse(text: unknown): LiveMessage | undefined {
  try {
    const message = JSON.parse(String(text)) as LiveMessage;
    return typeof message.command === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
