import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment } from '../../shared/records/index.ts';
import type { Attachments } from './attachments.ts';
import { ConversionFailed, lookForFfmpeg, runFfmpeg, toFlv, toMp3, toMp4 } from './ffmpeg.ts';
import type { Files } from './uploads.ts';

interface ConversionsOptions {
  readonly attachments: Attachments;
  readonly files: Files;
  /** Folder of what is being made. */
  readonly workshop: string;
  /** The program, by name or path; null: none is looked for. */
  readonly ffmpeg: string | null;
  readonly report: (message: string, error: unknown) => void;
}

const NO_FFMPEG = 'There is no ffmpeg on the station: the original is kept as it is.';

/**
 * Makes the other forms of attachments in the background, one after the other: the records say what waits, so
 * it goes on after a restart. Where there is no ffmpeg the records say that, and it is tried again when the
 * station starts with one.
 */
export class Conversions {
  readonly #options: ConversionsOptions;
  readonly #end = new AbortController();
  #tools: Awaited<ReturnType<typeof lookForFfmpeg>>;
  #running: Promise<void> | undefined;
  #again = false;
  #stop: () => void = () => undefined;

  constructor(options: ConversionsOptions) {
    this.#options = options;
    mkdirSync(options.workshop, { recursive: true });
    this.#clear();
  }

  /** Begins with what was left undone. */
  async start(): Promise<void> {
    const { attachments, ffmpeg } = this.#options;
    this.#tools = ffmpeg === null ? undefined : await lookForFfmpeg(ffmpeg);
    this.#stop = attachments.onWaiting(() => this.#wake());
    if (this.#tools) await attachments.retryUnavailable();
    this.#wake();
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** What is under way is broken off, and begun again at the next start. */
  async close(): Promise<void> {
    this.#stop();
    this.#end.abort();
    await this.idle();
    this.#clear();
  }

  #wake(): void {
    this.#again = true;
    this.#running ??= this.#work().finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#end.signal.aborted) {
      this.#again = false;
      for (const attachment of this.#options.attachments.waiting()) {
        if (this.#end.signal.aborted) return;
        // What cannot even be noted as failed, on a full disk, waits for the next that is added or the next
        // start.
        await this.#convert(attachment).catch((error: unknown) =>
          this.#options.report(`Attachment ${attachment.id} could not be converted.`, error),
        );
        this.#clear();
      }
    }
  }

  async #convert(attachment: Attachment): Promise<void> {
    const { attachments, files } = this.#options;
    try {
      if (!files.blobs.has(attachment.sha256)) throw new ConversionFailed('The file is not here.');
      if (attachment.kind !== 'photo' && !this.#tools)
        return await attachments.converted(attachment.id, 'unavailable', {}, NO_FFMPEG);
      const made = await this.#make(attachment, files.blobs.path(attachment.sha256));
      const converted: Record<string, { sha256: string; size: number }> = {};
      try {
        for (const [extension, path] of Object.entries(made))
          converted[extension] = await files.blobs
            .receive(createReadStream(path), Infinity)
            .then(({ sha256, size }) => ({ sha256, size }));
        await attachments.converted(attachment.id, 'done', converted);
      } finally {
        for (const { sha256 } of Object.values(converted)) files.blobs.release(sha256);
      }
    } catch (error) {
      if (this.#end.signal.aborted) return;
      await attachments.converted(
        attachment.id,
        'failed',
        {},
        error instanceof ConversionFailed ? error.message : 'The file could not be converted.',
      );
      if (!(error instanceof ConversionFailed)) throw error;
    }
  }

  /** Paths of the new forms, by extension. */
  async #make({ kind, extension }: Attachment, from: string): Promise<Record<string, string>> {
    const { workshop, ffmpeg, files } = this.#options;
    const to = (name: string) => join(workshop, `made.${name}`);
    const run = (words: string[]) => runFfmpeg(ffmpeg!, words, this.#end.signal);
    if (kind === 'photo') {
      await files.upright(from, to(extension));
      return { [extension]: to(extension) };
    }
    if (kind === 'sound') {
      await run(toMp3(from, to('mp3')));
      return { mp3: to('mp3') };
    }
    await run(toMp4(from, to('mp4'), this.#tools!));
    await run(toFlv(to('mp4'), to('flv'), this.#tools!));
    return { mp4: to('mp4'), flv: to('flv') };
  }

  #clear(): void {
    for (const name of readdirSync(this.#options.workshop)) rmSync(join(this.#options.workshop, name), { force: true });
  }
}
