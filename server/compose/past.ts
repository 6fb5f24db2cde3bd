import { PastBoard } from '../reporting/past/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { Tracking } from './tracking.ts';

export type PastPart = Awaited<ReturnType<typeof openPast>>;

/** The board as it was. */
export function openPast({ now, log, store }: Foundation, { fleet }: Dispatch, { alarms, telemetry }: Tracking) {
  return openOrClose(async (stack) => {
    const logger = log.logger('past');
    const past = stack.use(
      await PastBoard.open({
        store,
        tracksFile: telemetry.file,
        now,
        states: fleet.states,
        watchAlarms: (listener) => alarms.watch(listener),
        expiredBefore: (vehicleId) => telemetry.retention.expiredBefore(fleet.known(vehicleId)?.organizationId ?? 0),
        report: (message, error) => logger.error(message, error),
        warn: (message) => logger.warn(message),
      }),
    );
    return { past };
  });
}
