import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import type { RegionConnection } from '../../nats/index.ts';
import { parsedJson } from '../../../platform/parsing/parsed-json.ts';
import type { Files } from '../../../dispatch/files/index.ts';
import type { FilePiece, FileSource } from '../replication/files/file-fetcher.ts';

interface RegionFilesOptions {
  readonly connection: RegionConnection;
  readonly stationId: string;
  readonly blobs: Files['blobs'];
  /** Records go first: files wait while this is false. */
  isQuiet(): boolean;
  warn(message: string): void;
}

/** Bytes of a file that are asked for at once. */
const PIECE = 256_000;
/** ms to wait for a station that has a file, and for a piece of it. */
const ANSWERS_WITHIN = 3_000;
const SIZE = 'Waypost-Size';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const PieceQuestion = z.object({ sha256: Sha256, offset: z.int().min(0) });

/**
 * Bytes of files between the stations of a region: asks who has a file, and then requests its pieces from
 * that station. The servers store nothing of them.
 */
export class RegionFiles implements FileSource {
  readonly #options: RegionFilesOptions;
  /** The station that answered last for a file. */
  readonly #holders = new Map<string, string>();
  #stop: () => void = () => undefined;

  constructor(options: RegionFilesOptions) {
    this.#options = options;
  }

  get isQuiet(): boolean {
    return this.#options.isQuiet() && this.#options.connection.connection !== undefined;
  }

  /** Answers other stations over this connection. */
  answer(connection: NatsConnection): void {
    this.#stop();
    const { stationId, blobs } = this.#options;
    const { subjects } = this.#options.connection;
    const asked = connection.subscribe(subjects.fileHolders, {
      callback: (_error, question) => {
        const { data: sha256 } = Sha256.safeParse(question.string());
        if (sha256 !== undefined && blobs.has(sha256)) question.respond(stationId);
      },
    });
    const pieces = connection.subscribe(subjects.files(stationId), {
      callback: (_error, question) => void this.#answerPiece(question),
    });
    this.#stop = () => {
      asked.unsubscribe();
      pieces.unsubscribe();
    };
  }

  async fetchPiece(sha256: string, offset: number): Promise<FilePiece | undefined> {
    const { connection } = this.#options;
    const open = connection.connection;
    if (!open) return undefined;
    const { subjects } = connection;
    try {
      const holder =
        this.#holders.get(sha256) ??
        (await open.request(subjects.fileHolders, sha256, { timeout: ANSWERS_WITHIN })).string();
      this.#holders.set(sha256, holder);
      const question = JSON.stringify({ sha256, offset });
      const piece = await open.request(subjects.files(holder), question, { timeout: ANSWERS_WITHIN });
      const size = Number(piece.headers?.get(SIZE) ?? '');
      const bytes = Buffer.from(piece.data);
      if (offset + bytes.length >= size) this.#holders.delete(sha256);
      return { size, bytes };
    } catch {
      // Nobody has it, or the station that had it is offline: it is requested again.
      this.#holders.delete(sha256);
      return undefined;
    }
  }

  close(): void {
    this.#stop();
  }

  async #answerPiece(question: Msg): Promise<void> {
    const { blobs, warn } = this.#options;
    const { data } = PieceQuestion.safeParse(parsedJson(question.string()));
    if (!data || !blobs.has(data.sha256)) return;
    try {
      const told = headers();
      told.set(SIZE, String(blobs.size(data.sha256)));
      question.respond(await blobs.readPiece(data.sha256, data.offset, PIECE), { headers: told });
    } catch (error) {
      warn(`A file could not be sent to another station: ${(error as Error).message}`);
    }
  }
}
