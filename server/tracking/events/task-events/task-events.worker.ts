/** Computes the events of tasks on a read-only connection; the event loop writes and announces them. */
import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import type { TaskThreadData } from './task-events.ts';
import { TaskReader, type TaskEventsRequest } from './task-reader.ts';

/**
 * Yields the processor to the event loop. Linux sets the priority of this thread alone; elsewhere it would
 * apply to all.
 */
if (process.platform === 'linux') setPriority(10);

const { file, tables } = workerData as TaskThreadData;
const reader = new TaskReader(new DatabaseSync(file, { readOnly: true, timeout: 5000 }), tables);

answerRequests((request: TaskEventsRequest) => reader.answer(request));
