import { WebSocket } from 'ws';
import type { TryStation } from './try-station.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at answers as a client without types
export type Said = { command: string; data: any };

/** A client of `/ws` that keeps what it was told. */
export class Listener {
  readonly heard: Said[] = [];
  readonly socket: WebSocket;
  private readonly waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      this.heard.push(JSON.parse(String(data)) as Said);
      for (const wake of this.waiting.splice(0)) wake();
    });
  }

  send(command: string, data: unknown): void {
    this.socket.send(JSON.stringify({ command, data }));
  }

  /** The first thing heard that fits, from now on or before. */
  async hear(fits: (said: Said) => boolean): Promise<Said> {
    for (;;) {
      const found = this.heard.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** All that was sent to it before now: it asks for something, and hears the answer. */
  async heardByNow(): Promise<readonly Said[]> {
    const before = this.heard.filter(({ command }) => command === 'ERROR').length;
    this.send('NONSENSE', 1);
    await this.hear(() => this.heard.filter(({ command }) => command === 'ERROR').length > before);
    return this.heard;
  }

  forget(): void {
    this.heard.length = 0;
  }
}

export async function listenAs(station: TryStation, token: string): Promise<Listener> {
  const socket = new WebSocket(`${station.station.address.replace('http', 'ws')}/ws?token=${token}`);
  const listener = new Listener(socket);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return listener;
}
