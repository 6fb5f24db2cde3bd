/** Lists events on its own connection, so that the event loop stays free. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import type { EventLogRequest } from './event-log.ts';
import { EventsSql } from './events-sql.ts';

const { file, table } = workerData as { file: string; table: string };
const events = new EventsSql(new DatabaseSync(file, { readOnly: true, timeout: 5000 }), table);

answerRequests((asked: EventLogRequest) =>
  asked.kind === 'list' ? events.list(asked.query) : events.latest(asked.vehicleIds, asked.since, asked.limit),
);
