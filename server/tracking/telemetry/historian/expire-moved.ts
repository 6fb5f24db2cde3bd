import { monthEnd, startOf, type Expired, type Month } from '../months/months.ts';
import type { MovedPart } from './catalogue.ts';
import type { HistorianConnection } from './connection.ts';
import { describePart, inTransaction } from './parts.ts';
import { partitionOfMonth } from './schema.ts';

/** Points that were deleted, and the parts that are left of their tracks. */
export interface ExpiredParts {
  readonly points: number;
  readonly left: readonly MovedPart[];
}

/** Everything of the month is expired: its partition goes. */
export function dropMonth(connection: HistorianConnection, month: Month): Promise<void> {
  return connection.use((client) =>
    inTransaction(client, async () => {
      await client.query(`DROP TABLE IF EXISTS waypost.${partitionOfMonth(month)}`);
      await client.query('DELETE FROM waypost.track_parts WHERE month=$1', [month]);
      await client.query('DELETE FROM waypost.track_months WHERE month=$1', [month]);
    }),
  );
}

/** Deletes the expired points of these vehicles, one transaction for each. */
export async function expireParts(
  connection: HistorianConnection,
  month: Month,
  expired: Expired,
): Promise<ExpiredParts> {
  let points = 0;
  const left: MovedPart[] = [];
  for (const [vehicle, before] of expired)
    await connection.use((client) =>
      inTransaction(client, async () => {
        const { rowCount } = await client.query(
          'DELETE FROM waypost.track_points WHERE vehicle=$1 AND time BETWEEN $2 AND $3',
          [vehicle, startOf(month), Math.min(before - 1, monthEnd(month))],
        );
        points += rowCount ?? 0;
        const part = await describePart(client, month, vehicle);
        if (part) left.push(part);
      }),
    );
  return { points, left };
}
