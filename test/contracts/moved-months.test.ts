import { DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { listMoved } from '../../server/tracking/telemetry/historian/catalogue.ts';
import { HistorianConnection } from '../../server/tracking/telemetry/historian/connection.ts';
import { moveMonth } from '../../server/tracking/telemetry/historian/move-month.ts';
import { MovedMonths } from '../../server/tracking/telemetry/historian/moved-months.ts';
import { HistorianQuestions } from '../../server/tracking/telemetry/historian/questions.ts';
import { prepareSchema } from '../../server/tracking/telemetry/historian/schema.ts';
import { JoinedMonths } from '../../server/tracking/telemetry/months/joined-months.ts';
import { MonthFiles } from '../../server/tracking/telemetry/months/month-files.ts';
import { monthsIn, type Month } from '../../server/tracking/telemetry/months/months.ts';
import { HAS_POSTGRES, Postgres } from '../support/postgres.ts';
import { fillMonths } from './fill-months.ts';
import { keepsMonths } from './month-source.ts';

describe.skipIf(!HAS_POSTGRES)('months in PostgreSQL (skipped where it is not installed)', () => {
  let server: Postgres;
  let databases = 0;
  beforeAll(async () => {
    server = await Postgres.start();
  }, 60_000);
  afterAll(() => server.close());

  /** Moves the months that `isMoved` chooses, and lists them. */
  async function move(file: string, db: DatabaseSync, isMoved: (month: Month) => boolean): Promise<HistorianQuestions> {
    const options = { url: await server.create(`months_${++databases}`), owner: 'a' };
    const connection = new HistorianConnection(options, 30_000, (client) => prepareSchema(client, options.owner));
    onTestFinished(() => connection.close());
    for (const month of monthsIn(dirname(file)).filter(isMoved))
      listMoved(db, month, await moveMonth(connection, dirname(file), month));
    return new HistorianQuestions(options);
  }

  describe('all of them', () => {
    keepsMonths(async (points) => {
      const { db, file } = await fillMonths(points);
      return new MovedMonths(db, await move(file, db, () => true));
    });
  });

  describe('every other one, and the rest in files', () => {
    keepsMonths(async (points) => {
      const { db, file } = await fillMonths(points);
      const questions = await move(file, db, (month) => month % 2 === 0);
      return new JoinedMonths(new MovedMonths(db, questions), new MonthFiles(db, dirname(file)));
    });
  });
});
