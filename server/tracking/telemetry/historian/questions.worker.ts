/** Holds a connection to the historian for a thread that waits for each answer. */
import { workerData } from 'node:worker_threads';
import { HistorianConnection, reasonAway } from './connection.ts';
import type { HistorianAnswer, HistorianQuestion, QuestionsData } from './questions.ts';

/** ms for a page of points. */
const LONGEST = 10_000;

const { options, port, signal } = workerData as QuestionsData;
const connection = new HistorianConnection(options, LONGEST);

port.on('message', async ({ text, values }: HistorianQuestion) => {
  const answer: HistorianAnswer = await connection.rows(text, values).then(
    (rows) => ({ rows }),
    (error: unknown) => ({ error: reasonAway(error) }),
  );
  port.postMessage(answer);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});
