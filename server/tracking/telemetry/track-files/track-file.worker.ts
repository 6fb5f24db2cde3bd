/** Reads files of tracks, so that the event loop stays free. */
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import { readTrackFile } from './read-track-file.ts';

answerRequests((bytes: Uint8Array) => readTrackFile(bytes));
