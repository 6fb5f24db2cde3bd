import type { Client } from 'pg';
import { monthEnd, startOf, type Month } from '../months/months.ts';
import type { MovedPart } from './catalogue.ts';

/** A part of a track as a row there. */
interface PartRow {
  readonly vehicle: number;
  readonly first_time: number;
  readonly last_time: number;
  readonly points: number;
  readonly believed_time: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly speed: number | null;
  readonly direction: number | null;
  readonly engine: number | null;
}

export async function savePart(client: Client, month: Month, part: MovedPart, digest: string): Promise<void> {
  const { vehicle, first, last, points, believedAt, lat, lon, speed, direction, engine } = part;
  await client.query('DELETE FROM waypost.track_parts WHERE month=$1 AND vehicle=$2', [month, vehicle]);
  await client.query(
    `INSERT INTO waypost.track_parts (month, vehicle, first_time, last_time, points, believed_time, lat, lon, speed, direction, engine, digest)
     VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)`,
    [month, vehicle, first, last, points, believedAt, lat, lon, speed, direction, engine, digest],
  );
}

/** Describes a part again by its points; undefined: none is left. */
export async function describePart(client: Client, month: Month, vehicle: number): Promise<MovedPart | undefined> {
  const span = [vehicle, startOf(month), monthEnd(month)];
  const { rows } = await client.query<PartRow>(
    `SELECT min(time) AS first_time, max(time) AS last_time, count(*) AS points FROM waypost.track_points
     WHERE vehicle=$1 AND time BETWEEN $2 AND $3`,
    span,
  );
  const { rows: believed } = await client.query<PartRow>(
    `SELECT time AS believed_time, lat, lon, speed, direction, engine FROM waypost.track_points
     WHERE vehicle=$1 AND time BETWEEN $2 AND $3 AND marks=0 ORDER BY time DESC LIMIT 1`,
    span,
  );
  await client.query('DELETE FROM waypost.track_parts WHERE month=$1 AND vehicle=$2', [month, vehicle]);
  if (rows[0]!.points === 0) return undefined;
  const part = partOf({ ...NOWHERE, ...rows[0]!, ...believed[0], vehicle });
  await savePart(client, month, part, '');
  return part;
}

export async function partsThere(client: Client, month: Month): Promise<MovedPart[]> {
  const { rows } = await client.query<PartRow>('SELECT * FROM waypost.track_parts WHERE month=$1', [month]);
  return rows.map(partOf);
}

/** The months that are complete there. */
export async function completeMonths(client: Client): Promise<Month[]> {
  const { rows } = await client.query<{ month: Month }>('SELECT month FROM waypost.track_months WHERE is_complete');
  return rows.map(({ month }) => month);
}

export async function inTransaction<R>(client: Client, work: () => Promise<R>): Promise<R> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const NOWHERE = { believed_time: null, lat: null, lon: null, speed: null, direction: null, engine: null };

function partOf(row: PartRow): MovedPart {
  const { vehicle, first_time: first, last_time: last, points, believed_time: believedAt } = row;
  const { lat, lon, speed, direction, engine } = row;
  return { vehicle, first, last, points, believedAt, lat, lon, speed, direction, engine };
}
