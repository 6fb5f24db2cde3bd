/** Works out what happened to messages on a connection that only reads: the event loop writes and tells. */
import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../platform/answer-requests.ts';
import type { TaskThreadData } from './task-events.ts';
import { TaskReader, type TaskEventsRequest } from './task-reader.ts';

/**
 * Lets the event loop go first when both want the processor. On Linux this holds for the thread alone;
 * elsewhere it would for all.
 */
if (process.platform === 'linux') setPriority(10);

const { file, tables } = workerData as TaskThreadData;
const reader = new TaskReader(new DatabaseSync(file, { readOnly: true, timeout: 5000 }), tables);

answerRequests((question: TaskEventsRequest) => reader.answer(question));
