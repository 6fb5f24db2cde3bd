/** Reads the past of the board on connections of its own, so that the event loop stays free. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { AlarmRecord } from '../../../shared/records/index.ts';
import { answerRequests } from '../../platform/threads/answer-requests.ts';
import { TrackFile } from '../../tracking/telemetry/tracks/index.ts';
import type {
  AlarmFacts,
  PastBoardQuestion,
  PastCrew,
  PastView,
  StatusTimes,
  StatusTimesQuestion,
} from './past-board.ts';

const { file, alarms, tracks } = workerData as { file: string; alarms: string; tracks: string };
const sql = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
const trackFile = new TrackFile(tracks);

/** ms; a vehicle that was not heard for longer has no place on the board of the past. */
const LONGEST_SILENCE = 31 * 86_400_000;

const noteAt = sql.prepare(
  'SELECT value FROM past_states WHERE kind = ? AND id = ? AND at <= ? ORDER BY at DESC LIMIT 1',
);
const firstNote = sql.prepare('SELECT at FROM past_states WHERE kind = ? AND id = ? ORDER BY at LIMIT 1');
const begun = sql.prepare("SELECT at FROM past_states WHERE kind = 'begun'");
const standing = sql.prepare(
  `SELECT data FROM ${alarms} WHERE deleted = 0 AND clearedAt = 0 UNION ALL SELECT data FROM ${alarms} WHERE deleted = 0 AND clearedAt > ?`,
);

function valueAt<T>(kind: 'crew' | 'alarm', id: number, at: number): T | undefined {
  const row = noteAt.get(kind, id, at);
  return row && (JSON.parse(row['value'] as string) as T);
}

function crewsAt({ at, vehicleIds }: PastBoardQuestion): PastCrew[] {
  const places = trackFile.lastPlaces(vehicleIds, at - LONGEST_SILENCE, at);
  return vehicleIds.map((vehicleId) => {
    const [digit, since] = valueAt<[number, number]>('crew', vehicleId, at) ?? [];
    return {
      vehicleId,
      status: digit === undefined || since === undefined ? undefined : { digit, since },
      place: places.get(vehicleId),
    };
  });
}

/** The alarm with its facts of then. Before the first note of it only what its record tells is known. */
function alarmAt(alarm: AlarmRecord, at: number, notedSince: number): AlarmRecord | undefined {
  const noted = valueAt<AlarmFacts>('alarm', alarm.id, at);
  if (noted) return noted.clearedAt > 0 ? undefined : { ...alarm, ...noted };
  const isNoted = at >= notedSince && firstNote.get('alarm', alarm.id) !== undefined;
  if (alarm.raisedAt > at || (isNoted && alarm.raisedAt >= notedSince)) return undefined;
  const reached = (time: number) => (time > at ? 0 : time);
  return {
    ...alarm,
    goneAt: reached(alarm.goneAt),
    clearedAt: 0,
    acknowledgedAt: reached(alarm.acknowledgedAt),
    shelvedUntil: alarm.shelvedAt > at ? 0 : alarm.shelvedUntil,
  };
}

const notesBetween = sql.prepare(
  "SELECT at, value FROM past_states WHERE kind = 'crew' AND id = ? AND at > ? AND at < ? ORDER BY at",
);

function statusTimes({ from, until, vehicleIds }: StatusTimesQuestion): StatusTimes[] {
  return vehicleIds.map((vehicleId) => {
    const byStatus = new Array<number>(10).fill(0);
    let digit = valueAt<[number, number]>('crew', vehicleId, from)?.[0];
    let since = from;
    const last = (end: number) => {
      if (digit !== undefined) byStatus[digit] = byStatus[digit]! + end - since;
      since = end;
    };
    for (const { at, value } of notesBetween.iterate(vehicleId, from, until)) {
      last(Number(at));
      [digit] = JSON.parse(value as string) as [number, number];
    }
    last(until);
    return { vehicleId, byStatus };
  });
}

function boardAt(question: PastBoardQuestion): PastView {
  const { at } = question;
  const notedSince = Number(begun.get()?.['at'] ?? Infinity);
  return {
    crews: crewsAt(question),
    alarms: standing
      .all(at)
      .flatMap((row) => alarmAt(JSON.parse(row['data'] as string) as AlarmRecord, at, notedSince) ?? []),
    notedSince,
  };
}

answerRequests((question: PastBoardQuestion | StatusTimesQuestion) => {
  sql.exec('BEGIN');
  try {
    return 'at' in question ? boardAt(question) : statusTimes(question);
  } finally {
    sql.exec('COMMIT');
  }
});
