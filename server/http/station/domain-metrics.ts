import { alarmState } from '../../../shared/events/alarms.ts';
import type { Accounts } from '../../access/accounts/index.ts';
import type { Alarms, Events } from '../../tracking/events/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { LOG_LEVELS, type Log } from '../../log/index.ts';
import type { MailQueue } from '../../reporting/notify/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import type { Telemetry } from '../../tracking/telemetry/index.ts';
import type { Territory } from '../../geo/territory/index.ts';
import type { Metrics } from '../app/metrics.ts';
import { DataSizes } from './data-sizes.ts';

const MINUTE = 60_000;
/** Upper bounds of the ages of last positions, in ms. A vehicle without news for 10 minutes has lost its signal. */
const AGES = [
  ['10m', 10 * MINUTE],
  ['1h', 60 * MINUTE],
  ['1d', 1440 * MINUTE],
  ['older', Infinity],
] as const;
const STATUSES = ['new', 'assigned', 'feedback', 'done'] as const;

/** The rooms that know the figures. */
interface Figures {
  readonly accounts: Accounts;
  readonly tasks: Tasks;
  readonly alarms: Alarms;
  readonly telemetry: Telemetry;
  readonly fleet: Fleet;
  readonly events: Events;
  readonly mail: MailQueue;
  readonly log: Log;
  readonly territory: Territory;
}

/**
 * Metrics for a control room: tasks, alarms, vehicles, intake, queues, disk and log. Counts are kept or read
 * from memory; the data directory is measured in the background.
 */
export function domainMetrics(
  metrics: Metrics,
  { accounts, tasks, alarms, telemetry, fleet, events, mail, log, territory }: Figures,
  { directory, version, now }: { readonly directory: string; readonly version: string; readonly now: () => number },
): void {
  metrics.gauges('waypost_info', 'The version of the station.', () => [{ labels: { version }, value: 1 }]);

  metrics.gauges('waypost_tasks', 'Tasks that are not archived, by status.', async () => {
    const { byStatus } = await tasks.lists.count(accounts.stationActor(), {});
    return STATUSES.map((status, index) => ({ labels: { status }, value: byStatus[index + 1] ?? 0 }));
  });
  metrics.gauges('waypost_alarms', 'Alarms that are not cleared, by state.', () => {
    const counts = { unacknowledged: 0, acknowledged: 0, shelved: 0 };
    for (const alarm of alarms.uncleared()) {
      const state = alarmState(alarm, now());
      if (state !== 'cleared') counts[state]++;
    }
    return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
  });

  metrics.gauges('waypost_vehicles', 'Vehicles by the age of their last position: up to this age, or older.', () => {
    const counts = new Map<string, number>([...AGES.map(([age]) => [age, 0] as const), ['never', 0]]);
    const time = now();
    for (const { id } of fleet.all()) {
      const last = fleet.states.get(id)?.time ?? 0;
      const age = last === 0 ? 'never' : AGES.find(([, most]) => time - last <= most)![0];
      counts.set(age, counts.get(age)! + 1);
    }
    return [...counts].map(([age, value]) => ({ labels: { age }, value }));
  });
  metrics.counters('waypost_records_total', 'Positions received since the start, by outcome.', () =>
    Object.entries(telemetry.intake).map(([result, value]) => ({ labels: { result }, value })),
  );
  metrics.gauge('waypost_intake_backlogged', 'Whether positions come faster than the disk stores them: 1 or 0.', () =>
    Number(telemetry.isBacklogged),
  );
  metrics.gauges(
    'waypost_last_position_seconds',
    'Seconds since the newest position of any vehicle was taken in.',
    () =>
      telemetry.lastIntake === 0
        ? []
        : [{ labels: {}, value: Math.max(0, Math.round((now() - telemetry.lastIntake) / 1000)) }],
  );
  const ofHistorian = (read: (state: NonNullable<Telemetry['months']['historian']>) => number) => () => {
    const state = telemetry.months.historian;
    return state ? [{ labels: {}, value: read(state) }] : [];
  };
  metrics.gauges(
    'waypost_historian_up',
    'Whether the historian answered last time: 1 or 0; only if there is one.',
    ofHistorian(({ isUp }) => Number(isUp)),
  );
  metrics.gauges(
    'waypost_historian_months',
    'Months of tracks in the historian.',
    ofHistorian(({ months }) => months),
  );
  metrics.gauges(
    'waypost_historian_months_waiting',
    'Months of tracks that are old enough for the historian and not there yet.',
    ofHistorian(({ waiting }) => waiting),
  );
  metrics.gauge('waypost_events_waiting', 'Vehicles whose records wait for their events.', () => events.waiting);
  metrics.gauge(
    'waypost_quarantine_dropped',
    'Entries that the quarantine dropped since the start: too many of one device from one address within an hour.',
    () => telemetry.quarantineDropped,
  );
  metrics.gauge(
    'waypost_datagrams_dropped',
    'Datagrams that were dropped since the start: of no known device and unreadable, or too many at once.',
    () => telemetry.datagramsDropped,
  );

  metrics.gauge('waypost_mail_waiting', 'Notices that wait for the mail server.', () => mail.waiting);
  metrics.counters('waypost_log_entries_total', 'Entries of the application log since the start.', () =>
    LOG_LEVELS.map((level) => ({ labels: { level }, value: log.written[level] })),
  );

  const sizes = new DataSizes(directory, now);
  metrics.gauges('waypost_data_bytes', 'Bytes of the data directory by part, measured at most once an hour.', () =>
    [...sizes.parts()].map(([part, value]) => ({ labels: { part }, value })),
  );
  const disk = (read: (found: { size: number; free: number }) => number) => async () => {
    const found = await sizes.disk();
    return found ? [{ labels: {}, value: read(found) }] : [];
  };
  metrics.gauges(
    'waypost_disk_free_bytes',
    'Free bytes of the disk that holds the data.',
    disk(({ free }) => free),
  );
  metrics.gauges(
    'waypost_disk_size_bytes',
    'Size of the disk that holds the data.',
    disk(({ size }) => size),
  );
  metrics.gauges('waypost_territory_age_seconds', 'Seconds since the territory was imported.', () =>
    territory.info ? [{ labels: {}, value: Math.max(0, Math.round((now() - territory.info.importedAt) / 1000)) }] : [],
  );
}
