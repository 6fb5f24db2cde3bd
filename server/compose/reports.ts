import { openOrClose } from '../platform/close-stack.ts';
import { ReportSchedules, type ReportSender } from '../reporting/notify/index.ts';
import { addressesBy, reportOrder, startReport } from '../reporting/reports/index.ts';
import type { LiveLink } from '../replication/sync/index.ts';
import { enabledActor, type Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { TerritoryRooms } from './territory.ts';
import type { Tracking } from './tracking.ts';

export type ReportMail = Awaited<ReturnType<typeof openReportMail>>;

/** Reports that are sent by mail at set times. */
export function openReportMail(
  { store, now, log }: Foundation,
  { fleet, tasks, mail, reportFiles }: Dispatch,
  { telemetry }: Tracking,
  { geocoder }: TerritoryRooms,
) {
  return openOrClose(async (stack) => {
    const logger = log.logger('reports');
    const reportSchedules = stack.use(
      new ReportSchedules({
        ...{ store, mail, now },
        files: reportFiles,
        actorOf: (userId) => enabledActor(tasks, userId),
        makeReport: async (actor, wish) => {
          const order = reportOrder({ store, fleet, tasks, telemetry, now }, actor, wish);
          return { title: order.title, content: await startReport(order, addressesBy(geocoder)) };
        },
        report: (message, error) => logger.error(message, error),
      }),
    );
    return { reportSchedules };
  });
}

/** ms after the start for which a station waits to hear whether its standby was promoted meanwhile. */
const KNOWN_AFTER = 120_000;

/** Which station sends the reports of a pair: this one, or the other one after a promotion. */
export function reportSender(links: () => readonly Pick<LiveLink, 'leadership' | 'isConnected'>[], now: () => number) {
  const startedAt = now();
  return (): ReportSender => {
    const states = links();
    const is = (state: LiveLink['leadership']) => states.some(({ leadership }) => leadership === state);
    if (is('replaced')) return 'replaced';
    if (is('promoted')) return 'promoted';
    const isUnheard = states.some(({ leadership, isConnected }) => leadership === 'followed' && !isConnected);
    return isUnheard && now() - startedAt < KNOWN_AFTER ? 'waiting' : 'leads';
  };
}
