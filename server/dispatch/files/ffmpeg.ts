import { execFile, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** ms that one file may take: an hour of video on an old machine. */
const LONGEST = 60 * 60_000;
/** Bytes of one output; a larger one is an attack. */
const LARGEST = 4_000_000_000;
/** A frame of more pixels than 8K is not decoded. */
const MAX_PIXELS = 33_177_600;
/**
 * Containers that hold their content. Playlists (HLS, concat) are not allowed: ffmpeg would read any file
 * that they name.
 */
const CONTAINERS = 'mov,matroska,avi,flv,mpeg,mpegts,mpegvideo,asf,ogg,mp3,wav,flac,aac,amr,caf,aiff,w64,ape,ac3';

export class ConversionFailed extends Error {
  override readonly name = 'ConversionFailed';
}

/** The encoders of an ffmpeg; undefined when there is no such program. */
export function detectFfmpeg(program: string): Promise<{ readonly h264: boolean } | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      ['-hide_banner', '-encoders'],
      { timeout: 20_000, windowsHide: true, maxBuffer: 4_000_000 },
      (error, stdout) => resolve(error ? undefined : { h264: / libx264 /.test(stdout) }),
    );
  });
}

const INPUT = (file: string) => [
  '-nostdin',
  '-hide_banner',
  '-v',
  'error',
  '-y',
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  CONTAINERS,
  '-max_pixels',
  String(MAX_PIXELS),
  '-threads',
  '1',
  '-i',
  file,
  '-map_metadata',
  '-1',
  '-fs',
  String(LARGEST),
];
/** Even sides, which the encoders need, and not larger than a console shows. */
const SCALE = ['-vf', "scale=w='2*trunc(min(1280,iw)/2)':h=-2"];

/** MP4 for the console: H.264 where the program has it. */
export function toMp4(from: string, to: string, { h264 }: { h264: boolean }): string[] {
  return [
    ...INPUT(from),
    '-map',
    '0:v:0',
    '-map',
    '0:a:0?',
    ...SCALE,
    '-c:v',
    ...(h264 ? ['libx264', '-preset', 'veryfast', '-crf', '24'] : ['mpeg4', '-q:v', '5']),
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-ac',
    '2',
    '-b:a',
    '96k',
    '-movflags',
    '+faststart',
    '-threads',
    '1',
    '-f',
    'mp4',
    to,
  ];
}

/** FLV for older clients, made of the MP4: the same streams in another container where it can hold them. */
export function toFlv(mp4: string, to: string, { h264 }: { h264: boolean }): string[] {
  return [
    ...INPUT(mp4),
    ...(h264 ? ['-c', 'copy'] : ['-c:v', 'flv1', '-q:v', '5', '-c:a', 'libmp3lame', '-ar', '44100']),
    '-f',
    'flv',
    to,
  ];
}

export function toMp3(from: string, to: string): string[] {
  return [...INPUT(from), '-map', '0:a:0', '-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3', to];
}

/**
 * Runs ffmpeg at the lowest priority, with a time limit. Rejects with ConversionFailed and ffmpeg's message,
 * or with an AbortError when it was stopped; always after the process has ended.
 */
export function runFfmpeg(program: string, words: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
      signal,
      killSignal: 'SIGKILL',
    });
    const tooLong = setTimeout(() => child.kill('SIGKILL'), LONGEST);
    let said = '';
    if (child.pid !== undefined) lower(child.pid);
    child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-2000)));
    let failure: Error | undefined;
    child.on('error', (error) => {
      failure = signal.aborted ? error : new ConversionFailed(error.message, { cause: error });
      if (child.pid !== undefined) return; // It was cancelled, but writes until it has ended.
      clearTimeout(tooLong);
      reject(failure);
    });
    child.on('close', (code) => {
      clearTimeout(tooLong);
      if (failure) return reject(failure);
      if (code !== 0) return reject(new ConversionFailed(lastLine(said) || 'The conversion took too long.'));
      const size = statSync(words.at(-1)!, { throwIfNoEntry: false })?.size ?? 0;
      if (size === 0) reject(new ConversionFailed('Nothing came out of the conversion.'));
      else if (size > LARGEST * 0.99) reject(new ConversionFailed('What came out is too large.'));
      else resolve();
    });
  });
}

function lower(process: number): void {
  try {
    setPriority(process, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}

/** The message without the path of the file, which means nothing to an operator. */
function lastLine(said: string): string {
  return (said.trim().split('\n').at(-1) ?? '')
    .replace(/(?:\/|[A-Z]:\\)\S*/g, '')
    .replace(/^[\s:]+|[\s:]+$/g, '')
    .slice(0, 300);
}
