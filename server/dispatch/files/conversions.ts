import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment } from '../../../shared/records/index.ts';
import type { Attachments } from './attachments.ts';
import { ConversionFailed, detectFfmpeg, runFfmpeg, toFlv, toMp3, toMp4 } from './ffmpeg.ts';
import type { Files } from './uploads.ts';

interface ConversionsOptions {
  readonly attachments: Attachments;
  readonly files: Files;
  /** Folder of unfinished files. */
  readonly workshop: string;
  /** The program, by name or path; null: conversion is off. */
  readonly ffmpeg: string | null;
  /** Whether another station makes them: nothing is made here meanwhile. */
  readonly isPaused?: () => boolean;
  readonly report: (message: string, error: unknown) => void;
}

const NO_FFMPEG = 'There is no ffmpeg on the station: the original is kept as it is.';

/**
 * Makes the other forms of attachments in the background, one by one. The records say what waits, so a
 * restart continues. Without ffmpeg the records say so, and the next start with one tries again.
 */
export class Conversions {
  readonly #options: ConversionsOptions;
  readonly #end = new AbortController();
  #detection: ReturnType<typeof detectFfmpeg> | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stop: () => void = () => undefined;

  constructor(options: ConversionsOptions) {
    this.#options = options;
    mkdirSync(options.workshop, { recursive: true });
    this.#clear();
  }

  /** Continues the unfinished conversions of the last run. */
  async start(): Promise<void> {
    this.#stop = this.#options.attachments.onWaiting(() => this.#wake());
    await this.resume();
  }

  /** Goes on when `isPaused` has ended. */
  async resume(): Promise<void> {
    if (this.#options.isPaused?.()) return;
    const { attachments } = this.#options;
    if (attachments.waiting('unavailable').length > 0 && (await this.#tools())) await attachments.retryUnavailable();
    this.#wake();
  }

  /** The abilities of ffmpeg; undefined: ffmpeg is not installed. Read once, when an attachment needs them. */
  async #tools(): ReturnType<typeof detectFfmpeg> {
    const { ffmpeg } = this.#options;
    if (ffmpeg === null) return undefined;
    this.#detection ??= detectFfmpeg(ffmpeg);
    return this.#detection;
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Stops the running conversion. The next start repeats it. */
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

  get #isOver(): boolean {
    return this.#end.signal.aborted || (this.#options.isPaused?.() ?? false);
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#isOver) {
      this.#again = false;
      for (const attachment of this.#options.attachments.waiting()) {
        if (this.#isOver) return;
        // On a full disk not even the failure can be stored. The next attachment, or the next start, tries
        // again.
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
      if (attachment.kind !== 'photo' && !(await this.#tools()))
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
    const tools = (await this.#tools())!;
    await run(toMp4(from, to('mp4'), tools));
    await run(toFlv(to('mp4'), to('flv'), tools));
    return { mp4: to('mp4'), flv: to('flv') };
  }

  #clear(): void {
    for (const name of readdirSync(this.#options.workshop)) rmSync(join(this.#options.workshop, name), { force: true });
  }
}
