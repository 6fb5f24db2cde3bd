/** Reads tracks on its own connection and writes them as JSON, so that the event loop stays free. */
import { parentPort, workerData } from 'node:worker_threads';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Reason } from '../../../../shared/refusals/reason.ts';
import { answerTrack, type TrackQuery } from './track-answers.ts';
import { TrackFile } from '../tracks/track-file.ts';

/** The reader requests each piece, which limits the speed. */
export type TrackAsked =
  { readonly id: number; readonly question: TrackQuery } | { readonly id: number; readonly then: 'more' | 'stop' };
export type TrackAnswer =
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly refused: Reason };

const { file } = workerData as { file: string };
const tracks = new TrackFile(file);
const answers = new Map<number, Generator<string>>();
const encoder = new TextEncoder();

parentPort!.on('message', (asked: TrackAsked) => {
  if ('question' in asked) answers.set(asked.id, answerTrack(tracks, asked.question));
  else if (asked.then === 'stop') answers.delete(asked.id);
  else tellNext(asked.id);
});

function tellNext(id: number): void {
  const answer = answers.get(id);
  if (!answer) return;
  try {
    const { value, done } = answer.next();
    if (!done) {
      const piece = encoder.encode(value);
      return parentPort!.postMessage({ id, piece } satisfies TrackAnswer, [piece.buffer]);
    }
    parentPort!.postMessage({ id, end: true } satisfies TrackAnswer);
  } catch (error) {
    const { message } = error as Error;
    const answered: TrackAnswer =
      error instanceof Refusal ? { id, refused: { code: error.code, params: error.params } } : { id, error: message };
    parentPort!.postMessage(answered);
  }
  answers.delete(id);
}
