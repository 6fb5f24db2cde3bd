import { join } from 'node:path';
import type { Accounts } from './access/accounts/index.ts';
import { openBackups } from './compose/backups.ts';
import { demoWarnings, fillWithDemo, startDemo, type DemoWarnings } from './compose/demo.ts';
import { openDispatch } from './compose/dispatch.ts';
import { openFoundation, type StationOptions } from './compose/foundation.ts';
import { openDevicePorts, openInterface } from './compose/interface.ts';
import { openSync } from './compose/sync.ts';
import { openImports } from './compose/exchange/imports.ts';
import { openMerging } from './compose/merging.ts';
import { openPublish } from './compose/exchange/publish.ts';
import { openPast } from './compose/past.ts';
import { openReportMail } from './compose/reports.ts';
import { openShifts } from './compose/shifts.ts';
import { openTerritoryRooms } from './compose/territory.ts';
import { openTracking } from './compose/tracking.ts';
import { openWarnings } from './compose/exchange/warnings.ts';
import type { StationConfig } from './config/index.ts';
import type { Interface } from './http/index.ts';
import { CloseStack } from './platform/close-stack.ts';
import { VERSION } from './platform/program.ts';
import { describeDamage } from './store/index.ts';

export interface Station extends DemoWarnings {
  /** Where this machine finds the console, such as `http://127.0.0.1:8480`. */
  readonly address: string;
  /** Page of the console that sets a new station up, such as `#/first-run?code=…`; undefined: it is set up. */
  readonly setUpRoute: string | undefined;
  readonly http: Interface;
  readonly accounts: Accounts;
  /** It shows the demo, whose logins are public. */
  readonly demo: boolean;
  /** Closes everything in reverse order. What was acknowledged is on the disk. */
  stop(): Promise<void>;
}

/** Opens the parts of a station in order. If one cannot be opened, those before it are closed again. */
export async function startStation(config: StationConfig, options: StationOptions = {}): Promise<Station> {
  const stack = new CloseStack();
  try {
    const foundation = stack.use(await openFoundation(config, options));
    const dispatch = stack.use(await openDispatch(foundation));
    const tracking = stack.use(await openTracking(foundation, dispatch));
    const territory = stack.use(await openTerritoryRooms(foundation, dispatch, tracking));
    const reportMail = stack.use(await openReportMail(foundation, dispatch, tracking, territory));
    const sync = stack.use(await openSync(foundation, dispatch, tracking, territory, reportMail));
    const merging = stack.use(await openMerging(foundation, dispatch, tracking));
    const shifts = stack.use(await openShifts(foundation, dispatch, tracking));
    const past = stack.use(await openPast(foundation, dispatch, tracking));
    const publish = stack.use(await openPublish(foundation, dispatch));
    const imports = stack.use(await openImports(foundation, dispatch, territory));
    const outside = stack.use(await openWarnings(foundation, tracking, territory));
    stack.use(await openDevicePorts(foundation, dispatch, tracking));
    const demo = await fillWithDemo(foundation, dispatch, tracking, territory);
    const backup = stack.use(await openBackups(foundation));
    const { http, address } = stack.use(
      await openInterface(
        foundation,
        dispatch,
        tracking,
        territory,
        sync,
        merging,
        shifts,
        past,
        backup,
        publish,
        imports,
        outside,
        reportMail,
      ),
    );
    if (demo && config.demoSpeed > 0) stack.use(await startDemo(foundation, dispatch, tracking, territory, address));

    const logger = foundation.log.logger('station');
    const warnings = await demoWarnings(foundation, demo);
    for (const warning of [warnings.openDemo, warnings.leftDemo]) if (warning) logger.warn(warning);
    const addresses = [http.main, http.secure].flatMap((listening) => listening?.address ?? []);
    logger.info(`Waypost ${VERSION} is listening at ${addresses.join(' and ')}.`);
    stack.defer(() => logger.info('The station is stopping.'));
    const setUpRoute = foundation.accounts.firstRun.isOpen ? `#/first-run?code=${http.setUpCode}` : undefined;
    return { address, setUpRoute, http, accounts: foundation.accounts, demo, ...warnings, stop: () => stack.close() };
  } catch (error) {
    await stack.close();
    throw describeDamage(join(config.data, 'station.db'), error);
  }
}
