/** Moves months to the historian and deletes what expired there, so that the station's event loop does not. */
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import { isDamage } from '../../../platform/disk/sqlite-damage.ts';
import { answerRequests } from '../../../platform/threads/answer-requests.ts';
import { noteMonthDamage, type Expired, type Month } from '../months/months.ts';
import type { MovedPart } from './catalogue.ts';
import { HistorianConnection, reasonAway, type HistorianOptions } from './connection.ts';
import { dropMonth, expireParts, type ExpiredParts } from './expire-moved.ts';
import { moveMonth } from './move-month.ts';
import { completeMonths, partsThere } from './parts.ts';
import { prepareSchema } from './schema.ts';

export type HistorianRequest =
  /** The months that it has. */
  | { readonly kind: 'months' }
  | { readonly kind: 'parts' | 'move' | 'drop'; readonly month: Month }
  | { readonly kind: 'expire'; readonly month: Month; readonly expired: Expired };
export type HistorianResponse = Month[] | MovedPart[] | ExpiredParts | undefined;

/** ms for one statement. */
const LONGEST = 120_000;

const { file, options } = workerData as { file: string; options: HistorianOptions };
const connection = new HistorianConnection(options, LONGEST, (client) => prepareSchema(client, options.owner));

answerRequests(async (asked: HistorianRequest): Promise<HistorianResponse> => {
  try {
    return await answer(asked);
  } catch (error) {
    throw new Error(reasonAway(error), { cause: error });
  }
});

async function answer(asked: HistorianRequest): Promise<HistorianResponse> {
  switch (asked.kind) {
    case 'months':
      return connection.use(completeMonths);
    case 'parts':
      return connection.use((client) => partsThere(client, asked.month));
    case 'move':
      return move(asked.month);
    case 'drop':
      return void (await dropMonth(connection, asked.month));
    case 'expire':
      return expireParts(connection, asked.month, asked.expired);
  }
}

/** A file that is found damaged is set aside by the keeper of months. */
async function move(month: Month): Promise<MovedPart[]> {
  try {
    return await moveMonth(connection, dirname(file), month);
  } catch (error) {
    if (isDamage(error)) noteMonthDamage(dirname(file), month, reasonAway(error));
    throw error;
  }
}
