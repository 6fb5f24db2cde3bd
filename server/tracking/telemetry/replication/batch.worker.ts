/** Reads batches of unsent points on its own connection, so that the event loop stays free. */
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import { BatchReader, type BatchQuestion } from './batch-reader.ts';

const { file } = workerData as { file: string };
const reader = new BatchReader(file);

answerRequests((question: BatchQuestion) => reader.answer(question));
