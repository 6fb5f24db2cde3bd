import type { Client } from 'pg';
import { fileOf, monthEnd, startOf, type Month } from '../months/months.ts';
import type { StoredPoint } from '../months/point-row.ts';

/** The columns of a point in PostgreSQL, and their types, by those here. */
export const HISTORIAN_COLUMNS: Readonly<Record<keyof StoredPoint, readonly [name: string, type: string]>> = {
  vehicle: ['vehicle', 'bigint'],
  time: ['time', 'bigint'],
  storedAt: ['stored_at', 'bigint'],
  lat: ['lat', 'double precision'],
  lon: ['lon', 'double precision'],
  speed: ['speed', 'double precision'],
  direction: ['direction', 'double precision'],
  height: ['height', 'double precision'],
  gpsCount: ['gps_count', 'bigint'],
  glonassCount: ['glonass_count', 'bigint'],
  inputs: ['inputs', 'bigint'],
  marks: ['marks', 'bigint'],
  extra: ['extra', 'text'],
  speedDerived: ['speed_derived', 'bigint'],
  engine: ['engine', 'bigint'],
};
const MAY_BE_MISSING: readonly string[] = ['gpsCount', 'glonassCount', 'engine'];

/** The version of these tables; a later program raises it with each migration. */
const VERSION = 1;

const TABLES = `
  CREATE TABLE waypost.track_points (
    ${Object.entries(HISTORIAN_COLUMNS)
      .map(([key, [name, type]]) => `${name} ${type}${MAY_BE_MISSING.includes(key) ? '' : ' NOT NULL'}`)
      .join(', ')},
    PRIMARY KEY (vehicle, time)
  ) PARTITION BY RANGE (time);
  CREATE INDEX track_points_time ON waypost.track_points USING brin (time);
  CREATE TABLE waypost.track_months (month integer PRIMARY KEY, is_complete boolean NOT NULL);
  CREATE TABLE waypost.track_parts (
    month integer NOT NULL, vehicle bigint NOT NULL, first_time bigint NOT NULL, last_time bigint NOT NULL,
    points bigint NOT NULL, believed_time bigint, lat double precision, lon double precision, speed double precision,
    direction double precision, engine bigint, digest text NOT NULL, PRIMARY KEY (month, vehicle)
  );`;

/** Of all stations: two of them do not make the tables at the same time. */
const LOCK = 0x77_70_74;

/** Makes the tables or brings them up to date. Throws where they are those of another station or of a newer program. */
export async function prepareSchema(client: Client, owner: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(
      'CREATE SCHEMA IF NOT EXISTS waypost; CREATE TABLE IF NOT EXISTS waypost.historian (version integer NOT NULL, owner text NOT NULL)',
    );
    const { rows } = await client.query<{ version: number; owner: string }>(
      'SELECT version, owner FROM waypost.historian',
    );
    const [known] = rows;
    if (known && known.owner !== owner) throw new Error('The database holds the tracks of another station.');
    if (known && known.version > VERSION) throw new Error('The tables in the database are those of a newer program.');
    if (!known) {
      await client.query(TABLES);
      await client.query('INSERT INTO waypost.historian (version, owner) VALUES ($1, $2)', [VERSION, owner]);
    }
    await makeView(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** For other programs: real times, and with PostGIS places as geography. The station itself reads the table. */
async function makeView(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string | null; has_view: boolean; has_place: boolean }>(`
    SELECT (SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'postgis') AS schema,
      EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = 'waypost' AND table_name = 'track_view') AS has_view,
      EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = 'waypost' AND table_name = 'track_view' AND column_name = 'place') AS has_place`);
  const { schema, has_view: hasView, has_place: hasPlace } = rows[0]!;
  if (hasView && (schema === null || hasPlace)) return;
  const place =
    schema === null
      ? ''
      : `, ${schema}.ST_SetSRID(${schema}.ST_MakePoint(lon, lat), 4326)::${schema}.geography AS place`;
  await client.query(
    `CREATE OR REPLACE VIEW waypost.track_view AS SELECT vehicle, to_timestamp(time / 1000.0) AS at, lat, lon, speed, direction, height, marks, inputs, extra${place} FROM waypost.track_points`,
  );
}

/** Without schema. */
export function partitionOfMonth(month: Month): string {
  return `track_points_${fileOf(month).slice(0, 7).replace('-', '_')}`;
}

export async function makePartition(client: Client, month: Month): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS waypost.${partitionOfMonth(month)} PARTITION OF waypost.track_points FOR VALUES FROM (${startOf(month)}) TO (${monthEnd(month) + 1})`,
  );
}
