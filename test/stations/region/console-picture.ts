import { WebSocket } from 'ws';
import type { TestStation } from '../harness/test-station.ts';

/** ms until a console connects again. */
const RECONNECT = 500;

interface Update {
  readonly glonassId: number;
  readonly data: number;
}

/** Where a console shows its vehicles: it follows all of them, and connects again when its server is gone. */
export class ConsolePicture {
  readonly #server: TestStation;
  readonly #glonassIds: readonly number[];
  /** Times of the latest positions, by glonassId. */
  readonly #shown = new Map<number, number>();
  #socket: WebSocket | undefined;
  #isClosed = false;

  constructor(server: TestStation, glonassIds: readonly number[]) {
    this.#server = server;
    this.#glonassIds = glonassIds;
    this.#connect();
  }

  shownAt(glonassId: number): number {
    return this.#shown.get(glonassId) ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    if (this.#isClosed) return;
    const again = () => setTimeout(() => this.#connect(), RECONNECT).unref();
    if (!this.#server.isUp) return void again();
    const { address, token } = this.#server;
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, {
      headers: { authorization: `Bearer ${token}` },
    });
    this.#socket = socket;
    socket.on('error', () => undefined); // 'close' reports it
    socket.on('close', again);
    socket.on('open', () => {
      socket.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: this.#glonassIds }));
    });
    socket.on('message', (bytes: Buffer) => {
      const { command, data } = JSON.parse(bytes.toString()) as { command: string; data: Update[] };
      if (command !== 'CAR_UPDATES') return;
      for (const { glonassId, data: time } of data) this.#shown.set(glonassId, Math.max(time, this.shownAt(glonassId)));
    });
  }
}
