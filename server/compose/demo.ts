import { endLogins, fillDemo, fillDemoPast, publicLogins, startDrivers } from '../demo/index.ts';
import { isLoopbackHost } from '../http/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { DEMO_TOWN } from '../platform/program.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import type { TerritoryRooms } from './territory.ts';
import type { Tracking } from './tracking.ts';

/** Fills an empty station with the demo when the settings ask for it. Resolves with whether this is the demo. */
export async function fillWithDemo(
  { config, now, log, store, accounts }: Foundation,
  { fleet, files }: Dispatch,
  { telemetry }: Tracking,
  { territory, makeRoads }: TerritoryRooms,
): Promise<boolean> {
  if (!config.demo) {
    const ended = await endLogins({ store, accounts });
    if (ended.length > 0)
      log
        .logger('demo')
        .warn(`The demo has ended: its public logins were disabled (${ended.join(', ')}). With --demo they come back.`);
    return false;
  }
  const rooms = { store, accounts, fleet, files, telemetry, territory };
  if (!(await fillDemo(rooms, { extract: DEMO_TOWN, now: now() }))) return false;
  await accounts.firstRun.end();
  makeRoads();
  return true;
}

/** Lets the demo vehicles drive, and fills the days before the start with tracks. */
export function startDemo(
  { config, now, log, store, accounts }: Foundation,
  { fleet }: Dispatch,
  { telemetry }: Tracking,
  { planner, speeds }: TerritoryRooms,
  address: string,
) {
  return openOrClose(async (stack) => {
    const demoLog = log.logger('demo');
    const drivers = await startDrivers({
      accounts,
      address,
      speedUp: config.demoSpeed,
      say: (message) => demoLog.info(message),
    });
    stack.defer(() => drivers.stop());
    stack.defer(
      fillDemoPast(
        { store, accounts, fleet, telemetry, planner },
        now(),
        () => speeds.rebuild(accounts.stationActor()),
        (error) => demoLog.warn(`The past of the demo was not filled: ${(error as Error).message}`),
      ),
    );
    return {};
  });
}

export interface DemoWarnings {
  /** A warning at the start: other machines can reach the demo, and its logins are public. */
  readonly openDemo: string | undefined;
  /** A warning at the start: logins of an earlier demo still work. */
  readonly leftDemo: string | undefined;
}

export async function demoWarnings({ config, store, accounts }: Foundation, isDemo: boolean): Promise<DemoWarnings> {
  const { host, data } = config;
  const left = isDemo ? [] : await publicLogins({ store, accounts });
  return {
    openDemo:
      isDemo && !isLoopbackHost(host)
        ? `Anybody who reaches ${host} can sign in: the logins of the demo are public. Keep no real work in ${data}, or serve the demo on 127.0.0.1.`
        : undefined,
    leftDemo:
      left.length > 0
        ? `${data} holds the data of the demo, and this is not the demo: everybody knows the passwords of ${left.join(', ')}. ` +
          'Disable these users or give them other passwords (waypost user disable LOGIN, waypost user password LOGIN), or serve with --demo.'
        : undefined,
  };
}
