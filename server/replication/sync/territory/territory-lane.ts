import { z } from 'zod';
import type { Channel } from '../types.ts';

/** The files of a territory by their hashes. */
const Manifest = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string().max(200),
  program: z.string().max(60),
  files: z
    .array(
      z.object({
        name: z.string().max(100),
        size: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(50)
    .readonly(),
});
export type OfferedTerritory = z.output<typeof Manifest>;

/** The part of this station's territory that links need. */
export interface TerritorySource {
  manifest(): Promise<OfferedTerritory | undefined>;
  readPiece(manifestId: string, file: string, offset: number, length: number): Promise<Buffer | undefined>;
  takeOver(order: {
    readonly station: { readonly id: string; readonly name: string };
    readonly manifest: OfferedTerritory;
    readonly fetchPiece: (file: string, offset: number) => Promise<Uint8Array | undefined>;
  }): Promise<unknown>;
  /** A take-over that did not end. */
  readonly interrupted: { readonly station: string } | undefined;
  onSwitch(listener: () => void): () => void;
}

/** Bytes of a file that are asked for at once. */
const PIECE = 256_000;
/** ms to wait before a piece is asked for while records come in pages. */
const PAUSE = 200;
/** ms for the manifest: a large territory is read through for it, once. */
const MANIFEST_TIMEOUT = 10 * 60_000;

const PieceShape = z.object({ id: z.string().max(64), file: z.string().max(100), offset: z.int().min(0) });

/** The territories of two stations over one connection: offers that of this station, and fetches the other one. */
export class TerritoryLane {
  readonly channel: Channel;
  readonly #isQuiet: () => boolean;

  /** @param isQuiet records go first: pieces wait while this is false */
  constructor(channel: Channel, territory: TerritorySource, isQuiet: () => boolean) {
    this.channel = channel;
    this.#isQuiet = isQuiet;
    channel.handle('territory', async () => ({ body: { manifest: (await territory.manifest()) ?? null } }));
    channel.handle('territory.piece', async (body) => {
      const { id, file, offset } = PieceShape.parse(body);
      const bytes = await territory.readPiece(id, file, offset, PIECE);
      return bytes ? { body: { isThere: true }, bytes, isFile: true } : { body: { isThere: false } };
    });
  }

  /** Undefined: the other station has no territory. */
  async offered(): Promise<OfferedTerritory | undefined> {
    const { body } = await this.channel.request<{ manifest: unknown }>('territory', {}, { timeout: MANIFEST_TIMEOUT });
    return Manifest.nullable().parse(body.manifest) ?? undefined;
  }

  async fetchPiece(id: string, file: string, offset: number): Promise<Buffer | undefined> {
    while (!this.#isQuiet() && !(await this.#isClosedSoon())) continue;
    const { body, bytes } = await this.channel.request<{ isThere: boolean }>('territory.piece', { id, file, offset });
    return body.isThere ? bytes : undefined;
  }

  /** Tells the other station that the territory of this one has changed. */
  announce(): void {
    this.channel.notify('territory.changed', {});
  }

  async #isClosedSoon(): Promise<boolean> {
    return Promise.race([
      this.channel.closed.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PAUSE)),
    ]);
  }
}
