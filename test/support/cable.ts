import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Bytes that are lost together. */
const SEGMENT = 1_400;

/** A way between two stations that a test can cut, delay and slow down: a proxy on loopback. */
export class Cable {
  /** Where the target is; it may move when a station starts again. */
  target: URL;
  /** ms before bytes go on, in each direction. */
  delay = 0;
  /** Bytes a second, in each direction; undefined: as fast as it goes. */
  rate: number | undefined;
  /** Neither bytes nor closes go through: the other end looks as if it were there. */
  isSwallowing = false;
  /** One of so many segments is lost: it, and all behind it, comes a round trip later, as in TCP. 0: none. */
  losesOneOf = 0;
  /** Bytes that went through since the start. */
  carried = 0;
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #isCut = false;

  private constructor(target: string) {
    this.target = new URL(target);
    this.#server = createServer((near) => this.#join(near));
  }

  static async to(target: string): Promise<Cable> {
    const cable = new Cable(target);
    cable.#server.listen(0, '127.0.0.1');
    await once(cable.#server, 'listening');
    return cable;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Breaks all connections and takes no new ones. */
  cut(): void {
    this.#isCut = true;
    for (const end of this.#ends) end.destroy();
  }

  join(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(near: Socket): void {
    if (this.#isCut) return void near.destroy();
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(from);
      /** When the line is free again, and when the last byte arrives at the other end. */
      let freeAt = 0;
      let lastArrival = 0;
      let segments = 0;
      const underWay: { readonly arrival: number; readonly bytes: Buffer }[] = [];
      /** Timers of one millisecond fire in any order: what is due leaves in the order in which it came. */
      const deliver = () => {
        while (underWay.length > 0 && underWay[0]!.arrival <= performance.now() + 1) {
          const { bytes } = underWay.shift()!;
          if (to.writable) to.write(bytes);
        }
      };
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#ends.delete(from);
        if (this.isSwallowing) return;
        // What is still under way arrives first.
        setTimeout(() => to.destroySoon(), this.#isCut ? 0 : Math.max(0, lastArrival - performance.now()));
      });
      from.on('data', (bytes: Buffer) => {
        if (this.isSwallowing) return;
        this.carried += bytes.length;
        const isPlain = this.delay === 0 && this.rate === undefined && this.losesOneOf === 0;
        if (isPlain && underWay.length === 0) return void to.write(bytes);
        const now = performance.now();
        for (let at = 0; at < bytes.length; at += SEGMENT) {
          const segment = bytes.subarray(at, at + SEGMENT);
          freeAt = Math.max(now, freeAt) + (this.rate === undefined ? 0 : (segment.length / this.rate) * 1000);
          const isLost = this.losesOneOf > 0 && ++segments % this.losesOneOf === 0;
          lastArrival = Math.max(lastArrival, freeAt + this.delay * (isLost ? 3 : 1));
          underWay.push({ arrival: lastArrival, bytes: segment });
          setTimeout(deliver, lastArrival - now);
        }
        if (freeAt - now > 1000) {
          from.pause();
          setTimeout(() => from.resume(), freeAt - now - 500);
        }
      });
    }
  }
}
