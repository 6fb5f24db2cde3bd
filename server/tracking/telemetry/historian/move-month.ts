import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { MonthContents } from '../months/month-contents.ts';
import { monthEnd, startOf, type Month } from '../months/months.ts';
import type { StoredPoint } from '../months/point-row.ts';
import { WHOLE_POINTS } from '../months/point-selection.ts';
import type { MovedPart } from './catalogue.ts';
import type { HistorianConnection } from './connection.ts';
import { completeMonths, describePart, inTransaction, partsThere, savePart } from './parts.ts';
import { HISTORIAN_COLUMNS, makePartition } from './schema.ts';

/** Points of one statement. */
const AT_ONCE = 5_000;

const NAMES = WHOLE_POINTS.columns;
const INSERT = `INSERT INTO waypost.track_points (${NAMES.map((name) => HISTORIAN_COLUMNS[name][0]).join(', ')})
  SELECT * FROM unnest(${NAMES.map((name, at) => `$${at + 1}::${HISTORIAN_COLUMNS[name][1]}[]`).join(', ')})`;
const REPLACE = ` ON CONFLICT (vehicle, time) DO UPDATE SET ${NAMES.map((name) => `${HISTORIAN_COLUMNS[name][0]} = excluded.${HISTORIAN_COLUMNS[name][0]}`).join(', ')}`;

/**
 * Copies the file of a month, one transaction for each vehicle. A part whose digest is known there is not
 * copied again, so an interrupted move continues where it was. Resolves with all parts when the server has
 * confirmed the last commit.
 */
export async function moveMonth(
  connection: HistorianConnection,
  directory: string,
  month: Month,
): Promise<MovedPart[]> {
  const contents = new MonthContents(directory, month);
  try {
    await connection.use((client) => makePartition(client, month));
    const isThere = (await connection.use(completeMonths)).includes(month);
    const rows = await connection.rows<{ vehicle: number; digest: string }>(
      'SELECT vehicle, digest FROM waypost.track_parts WHERE month=$1',
      [month],
    );
    const known = new Map(rows.map(({ vehicle, digest }) => [vehicle, digest]));
    const parts: MovedPart[] = [];
    for (const vehicle of contents.vehicles()) {
      const { part, digest } = summary(vehicle, contents.pages(vehicle, AT_ONCE));
      parts.push(part);
      const pages = () => contents.pages(vehicle, AT_ONCE);
      if (known.get(vehicle) !== digest)
        await connection.use((client) =>
          isThere ? addToPart(client, month, vehicle, pages()) : copyPart(client, month, part, digest, pages()),
        );
      known.delete(vehicle);
    }
    if (isThere) return await connection.use((client) => partsThere(client, month));
    await connection.use((client) => complete(client, month, [...known.keys()]));
    return parts;
  } finally {
    contents.close();
  }
}

/** The entry of these points in the catalogue, and a digest of every field of them. */
function summary(vehicle: number, pages: Iterable<readonly StoredPoint[]>): { part: MovedPart; digest: string } {
  const hash = createHash('sha256');
  let [first, last, points] = [Infinity, -1, 0];
  let believed: StoredPoint | undefined;
  for (const page of pages) {
    first = Math.min(first, page[0]!.time);
    last = page.at(-1)!.time;
    points += page.length;
    believed = page.findLast(({ marks }) => marks === 0) ?? believed;
    for (const point of page) hash.update(`${JSON.stringify(NAMES.map((name) => point[name]))}\n`);
  }
  return {
    part: {
      vehicle,
      first,
      last,
      points,
      believedAt: believed?.time ?? null,
      lat: believed?.lat ?? null,
      lon: believed?.lon ?? null,
      speed: believed?.speed ?? null,
      direction: believed?.direction ?? null,
      engine: believed?.engine ?? null,
    },
    digest: hash.digest('hex'),
  };
}

async function copyPart(
  client: Client,
  month: Month,
  part: MovedPart,
  digest: string,
  pages: Iterable<readonly StoredPoint[]>,
): Promise<void> {
  await inTransaction(client, async () => {
    await deletePoints(client, month, [part.vehicle]);
    let copied = 0;
    for (const page of pages) {
      const { rowCount } = await client.query(
        INSERT,
        NAMES.map((name) => page.map((point) => point[name])),
      );
      copied += rowCount ?? 0;
    }
    if (copied !== part.points) throw new Error(`The historian stored ${copied} of ${part.points} points.`);
    await savePart(client, month, part, digest);
  });
}

/** The station lost its catalogue, and accepted more points of the month since: nothing there is deleted. */
async function addToPart(
  client: Client,
  month: Month,
  vehicle: number,
  pages: Iterable<readonly StoredPoint[]>,
): Promise<void> {
  await inTransaction(client, async () => {
    for (const page of pages)
      await client.query(
        INSERT + REPLACE,
        NAMES.map((name) => page.map((point) => point[name])),
      );
    await describePart(client, month, vehicle);
  });
}

/** All parts are there; those of other vehicles are leftovers of a move whose points have expired since. */
async function complete(client: Client, month: Month, leftovers: readonly number[]): Promise<void> {
  await inTransaction(client, async () => {
    await deletePoints(client, month, leftovers);
    await client.query(
      'INSERT INTO waypost.track_months (month, is_complete) VALUES ($1, true) ON CONFLICT (month) DO UPDATE SET is_complete = true',
      [month],
    );
  });
}

async function deletePoints(client: Client, month: Month, vehicles: readonly number[]): Promise<void> {
  if (vehicles.length === 0) return;
  await client.query('DELETE FROM waypost.track_points WHERE vehicle = ANY($1) AND time BETWEEN $2 AND $3', [
    vehicles,
    startOf(month),
    monthEnd(month),
  ]);
  await client.query('DELETE FROM waypost.track_parts WHERE month=$1 AND vehicle = ANY($2)', [month, vehicles]);
}
