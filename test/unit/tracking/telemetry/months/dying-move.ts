/** Starts on a data directory and moves its points into their months; dies before so many calls of SQLite. */
import { DatabaseSync } from 'node:sqlite';
import { copyPoints } from '../../../../../server/tracking/telemetry/moving/copy-points.ts';
import { forgetMoved, pointsMoved, setApart } from '../../../../../server/tracking/telemetry/moving/moving-points.ts';
import { prepareTracks } from '../../../../../server/tracking/telemetry/prepare-tracks.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';

const [directory, calls, atOnce] = process.argv.slice(2);
let left = Number(calls);
// oxlint-disable-next-line typescript/unbound-method -- it is called on each connection below
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql: string) {
  if (--left === 0) process.kill(process.pid, 'SIGKILL');
  exec.call(this, sql);
};

prepareTracks({ directory: directory!, now: Date.now });
const tracks = new Tracks(directory!);
const inTransaction = <R>(work: () => R): R => {
  tracks.db.exec('BEGIN IMMEDIATE');
  const result = work();
  tracks.db.exec('COMMIT');
  return result;
};
while (inTransaction(() => setApart(tracks.db)))
  for (let more = true; more;) {
    const copied = await copyPoints(tracks.file, Number(atOnce));
    inTransaction(() => pointsMoved(tracks.db, copied!));
    const { last } = copied!;
    while (last && inTransaction(() => forgetMoved(tracks.db, last)) > 0);
    more = last !== undefined;
  }
