import type { DatabaseSync } from 'node:sqlite';
import { changeMoved } from '../historian/catalogue.ts';
import { strikeOff } from '../months/damaged-months.ts';
import { forgetMoved, pointsMoved, setApart } from '../moving/moving-points.ts';
import type { ChangeOfPlaces } from './write-orders.ts';

/** Changes where points are stored, within a transaction of the writer. */
export function changePlaces(db: DatabaseSync, order: ChangeOfPlaces, now: number): number | undefined {
  switch (order.kind) {
    case 'set-apart':
      return Number(setApart(db));
    case 'moved':
      return void pointsMoved(db, order);
    case 'forget-moved':
      return forgetMoved(db, order.last);
    case 'drop-month':
      return void db.prepare('DELETE FROM track_months WHERE month=?').run(order.month);
    case 'month-damaged':
      return Number(strikeOff(db, order.month, now));
    case 'month-moved':
    case 'parts-expired':
    case 'moved-dropped':
      return changeMoved(db, order);
  }
}
