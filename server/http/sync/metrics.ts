import {
  waitingKinds,
  WAITING_KINDS,
  type Links,
  type LiveLink,
  type RegionReport,
} from '../../replication/sync/index.ts';
import type { Metrics } from '../app/metrics.ts';

/** Numbers of the object store that has copies of files. */
export function fileCopyMetrics(metrics: Metrics, copies: { waiting(): number } | undefined): void {
  if (copies)
    metrics.gauge('waypost_files_without_copy', 'Files that wait for their copy in the object store.', () =>
      copies.waiting(),
    );
}

/** How many dear questions map services answered, and how many this station. */
export function mapServiceMetrics(
  metrics: Metrics,
  counts: Readonly<Record<'answered' | 'unanswered', number>> | undefined,
): void {
  if (counts)
    metrics.counters('waypost_maps_questions_total', 'Costly map requests, by who answered them.', () => [
      { labels: { by: 'service' }, value: counts.answered },
      { labels: { by: 'station' }, value: counts.unanswered },
    ]);
}

/** Numbers of the links to other stations. */
export function linkMetrics(metrics: Metrics, links: Links, now: () => number): void {
  const each = (name: string, help: string, read: (link: LiveLink) => number): void =>
    metrics.gauges(name, help, () =>
      links.all().map((link) => ({ labels: { station: String(link.station.number) }, value: read(link) })),
    );
  each('waypost_link_connected', 'Whether the station is connected: 1 or 0.', (link) => Number(link.isConnected));
  each('waypost_link_synced', 'Whether both stations have confirmed everything within 10 s: 1 or 0.', (link) =>
    Number(link.state(now()) === 'synced'),
  );
  each(
    'waypost_link_waiting_in',
    'Records and files that wait at the other station.',
    (link) => link.progress.waitingIn,
  );
  each('waypost_link_waiting_out', 'Records and files that wait here.', (link) => link.progress.waitingOut);
  metrics.gauges('waypost_link_waiting_records', 'Records that wait, by kind and direction.', () =>
    links.all().flatMap((link) => {
      const waits = waitingKinds([link]);
      const station = String(link.station.number);
      return WAITING_KINDS.flatMap((kind) =>
        (['in', 'out'] as const).map((direction) => ({
          labels: { station, kind, direction },
          value: waits.find((one) => one.kind === kind)?.[direction] ?? 0,
        })),
      );
    }),
  );
  each('waypost_link_tracks_in', 'Positions that wait at the other station.', (link) => link.progress.tracksIn);
  each('waypost_link_tracks_out', 'Positions that wait here.', (link) => link.progress.tracksOut);
  each('waypost_link_pending_files', 'Files whose bytes are on their way here.', (link) => link.progress.pendingFiles);
  each(
    'waypost_link_pending_files_there',
    'Files whose bytes the other station waits for.',
    (link) => link.progress.pendingFilesThere,
  );
  each('waypost_link_last_contact_seconds', 'Seconds since the last contact.', (link) =>
    link.isConnected ? 0 : Math.max(0, Math.round((now() - link.lastContact) / 1000)),
  );
  each('waypost_link_queued_bytes', 'Bytes queued for the connection to the other station.', (link) =>
    link.isConnected ? link.connection!.queuedBytes : 0,
  );
  each('waypost_link_received_bytes', 'Bytes received over the current connection.', (link) =>
    link.isConnected ? link.connection!.bytes.received : 0,
  );
  each('waypost_link_sent_bytes', 'Bytes sent over the current connection.', (link) =>
    link.isConnected ? link.connection!.bytes.sent : 0,
  );
  const region = (name: string, help: string, read: (report: RegionReport) => number): void =>
    metrics.gauges(name, help, () => {
      const report = links.state().region;
      return report ? [{ labels: { region: report.name }, value: read(report) }] : [];
    });
  region('waypost_region_connected', 'Whether a server of the region answers: 1 or 0.', (report) =>
    Number(report.state !== 'away'),
  );
  region('waypost_region_synced', 'Whether the region and this station have the same records: 1 or 0.', (report) =>
    Number(report.state === 'synced'),
  );
  region('waypost_region_waiting_in', 'Records in the region that are not here.', ({ waitingIn }) => waitingIn);
  region('waypost_region_waiting_out', 'Records here that are not in the region.', ({ waitingOut }) => waitingOut);
  region('waypost_region_stations', 'Other stations of the region that are online.', ({ members }) =>
    members.reduce((sum, { isHere }) => sum + Number(isHere), 0),
  );
  metrics.gauge('waypost_standby', 'Whether this station is a standby: 1 or 0.', () =>
    Number(links.followed !== undefined),
  );
  metrics.gauge(
    'waypost_standby_behind_seconds',
    'Seconds by which this standby is behind; 0 for a station that leads.',
    () => links.state().standby?.behind ?? 0,
  );
  metrics.gauge('waypost_sync_waiting', 'Records and files that wait, over all links.', () => links.state().waiting);
  metrics.gauge(
    'waypost_links_refused_connections',
    'Connections and pairings since the start that were not genuine: replayed, forged, or without the code.',
    () => links.refusedDials,
  );
}
