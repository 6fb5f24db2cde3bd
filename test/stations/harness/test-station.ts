import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cable } from '../../support/cable.ts';
import { serve, type Served } from './served.ts';

export interface LinkAnswer {
  readonly id: number;
  readonly station: { readonly number: number; readonly name: string };
  readonly state: string;
  readonly waitingIn: number;
  readonly waitingOut: number;
  readonly kinds: readonly { readonly kind: string; readonly in: number; readonly out: number }[];
  readonly lastError: string | null;
  readonly leadership: string;
  readonly digest: { readonly mine: string; readonly theirs: string } | null;
}

/** A station that a test starts, kills and starts again in the same directory. */
export class TestStation {
  readonly number: number;
  readonly directory: string;
  readonly #environment: NodeJS.ProcessEnv;
  /** Ways that lead to it: they follow it to its next port. */
  readonly cables: Cable[] = [];
  #served: Served | undefined;

  constructor(number: number, environment: NodeJS.ProcessEnv = {}) {
    this.number = number;
    this.directory = mkdtempSync(join(tmpdir(), `waypost-station-${number}-`));
    this.#environment = { WAYPOST_STATION_NUMBER: String(number), WAYPOST_NAME: `Station ${number}`, ...environment };
  }

  get isUp(): boolean {
    return this.#served !== undefined;
  }

  get address(): string {
    return this.#served!.address;
  }

  get pid(): number {
    return this.#served!.pid;
  }

  get token(): string {
    return this.#served!.token;
  }

  async signIn(): Promise<void> {
    await this.#served!.signIn();
  }

  async start(): Promise<this> {
    this.#served = await serve(this.directory, this.#environment);
    for (const cable of this.cables) cable.target = new URL(this.#served.address);
    return this;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await served?.end(signal);
  }

  /** Keeps a copy of its data while it is down. Returns the function that puts them back. */
  save(): { putBack(): void; drop(): void } {
    const copy = mkdtempSync(join(tmpdir(), `waypost-copy-${this.number}-`));
    cpSync(this.directory, copy, { recursive: true });
    return {
      putBack: () => {
        rmSync(this.directory, { recursive: true });
        cpSync(copy, this.directory, { recursive: true });
      },
      drop: () => rmSync(copy, { recursive: true, force: true }),
    };
  }

  ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (!this.#served) return Promise.reject(new Error(`Station ${this.number} is down.`));
    return this.#served.ask<T>(method, path, body);
  }

  async links(): Promise<readonly LinkAnswer[]> {
    return this.ask('GET', '/links');
  }
}
