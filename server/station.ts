import type { Express } from 'express';
import { join } from 'node:path';
import { Accounts } from './accounts/index.ts';
import type { PasswordCost } from './accounts/passwords.ts';
import type { StationConfig } from './config.ts';
import { leaveControl } from './control.ts';
import { fillDemo, startDrivers } from './demo/index.ts';
import { Fleet } from './fleet/index.ts';
import { startGeocoder } from './geocoding/index.ts';
import { createApp } from './http/app.ts';
import { authRoutes } from './http/auth.ts';
import { carRoutes } from './http/cars.ts';
import { consolePages } from './http/console.ts';
import { directoryRoutes } from './http/directories.ts';
import { documentationRoutes } from './http/docs.ts';
import { findTasksIn, findVehiclesIn } from './http/found-items.ts';
import { geocodingRoutes } from './http/geocoding.ts';
import { listen } from './http/listen.ts';
import { Live } from './http/live.ts';
import { logRoutes } from './http/log.ts';
import { Metrics } from './http/metrics.ts';
import { newsRoutes } from './http/news.ts';
import { organizationRoutes } from './http/organizations.ts';
import { replicaRoutes } from './http/replica.ts';
import { rightRoutes } from './http/rights.ts';
import type { Route } from './http/route.ts';
import { otherServices, routingRoutes } from './http/routing.ts';
import { stationRoutes } from './http/station.ts';
import { telemetryRoutes } from './http/telemetry.ts';
import { presentImport, territoryRoutes } from './http/territory.ts';
import { tileRoutes } from './http/tiles.ts';
import { travelTimesBy } from './http/travel-times.ts';
import { userRoutes } from './http/users.ts';
import { Log } from './log/index.ts';
import { startMap } from './map/index.ts';
import { DEMO_TOWN, PAGES, VERSION } from './root.ts';
import { startPlanner } from './routing/index.ts';
import { openStore } from './store/index.ts';
import { seedTasks, Tasks } from './tasks/index.ts';
import { openTelemetry } from './telemetry/index.ts';
import { openTerritory } from './territory/index.ts';

export interface Station {
  /** Where the console is, such as `http://127.0.0.1:8480`. */
  readonly address: string;
  readonly port: number;
  readonly routerPort: number | undefined;
  readonly accounts: Accounts;
  /** It shows the demo, whose logins are known. */
  readonly demo: boolean;
  readonly routes: readonly Route[];
  /** Ends everything in turn. What was acknowledged is on disk. */
  stop(): Promise<void>;
}

/** What tests change about a station. */
export interface StationTrials {
  readonly passwordCost?: PasswordCost;
  readonly checkAnswers?: boolean;
}

/** Opens the rooms, introduces them to each other, and answers. When one of them cannot be opened, those before it are closed again. */
export async function startStation(config: StationConfig, trials: StationTrials = {}): Promise<Station> {
  const closers: (() => unknown)[] = [];
  const onClose = (close: () => unknown) => void closers.unshift(close);
  const stop = async () => {
    for (const close of closers.splice(0)) await close();
  };
  try {
    return await open(config, trials, onClose, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(config: StationConfig, trials: StationTrials, onClose: (close: () => unknown) => void, stop: () => Promise<void>): Promise<Station> {
  const now = Date.now;
  const log = Log.open({ directory: join(config.data, 'log'), minLevel: config.logLevel });
  onClose(() => log.close());
  const say = log.logger('station');
  onClose(logBugs((message, error) => say.error(message, error), () => log.flushNow()));

  const store = await openStore({ directory: config.data, stationNumber: config.stationNumber, now, report: (error) => log.logger('store').error('A listener failed.', error) });
  onClose(() => store.close());
  const accounts = await Accounts.open({ store, clock: now, adminPassword: config.adminPassword ?? undefined, ...(trials.passwordCost ? { passwordCost: trials.passwordCost } : {}) });
  onClose(() => accounts.close());
  await seedTasks(store);
  const fleet = new Fleet({ store, now });
  onClose(() => fleet.close());
  const tasks = new Tasks({ store, fleet, now });
  onClose(() => tasks.close());

  const telemetry = openTelemetry({
    directory: config.data,
    now,
    findVehicle: (device) => fleet.withDevice(device),
    publish: (states) => fleet.states.take(states),
    log: (level, message) => log.logger('telemetry')[level === 'ERROR' ? 'error' : 'warn'](message),
  });
  onClose(() => telemetry.close());

  const territory = await openTerritory(join(config.data, 'territory'), { now });
  onClose(() => territory.close());
  const planner = await startPlanner({ warn: (message) => log.logger('routing').warn(message) });
  onClose(() => planner.close());
  const geocoder = startGeocoder();
  onClose(() => geocoder.close());
  const map = startMap();
  onClose(() => map.close());
  const readers = [planner, geocoder, map];
  // A territory that cannot be read (made by an older program, damaged) must not keep the station from its tasks.
  const goOver = async (directory: string | undefined) => {
    const opened = await Promise.allSettled(readers.map((reader) => reader.open(directory)));
    for (const { reason } of opened.filter((result) => result.status === 'rejected')) log.logger('territory').error('The territory cannot be used. Import it again.', reason);
  };
  await goOver(territory.directory);
  onClose(territory.onSwitch(goOver));

  const demo = config.demo && (await fillDemo({ store, accounts, fleet, telemetry, territory }, { extract: DEMO_TOWN, now: now() }));
  if (demo) await accounts.skipFirstRun();

  const metrics = new Metrics();
  onClose(metrics.watchProcess());
  metrics.gauge('waypost_messages', 'Messages on this station, archived ones included.', () => store.records('messages').count());
  const facts = { version: VERSION, station: { id: store.stationId, name: config.name }, territory: () => territory.info };
  const rooms: Route[] = [
    ...authRoutes(accounts),
    ...userRoutes(accounts),
    ...organizationRoutes(accounts),
    ...rightRoutes(accounts),
    ...logRoutes(log),
    ...geocodingRoutes(geocoder, findVehiclesIn(fleet), findTasksIn(tasks)),
    ...routingRoutes(planner, { anonymous: config['router.anonymous'] }),
    ...directoryRoutes(tasks),
    ...newsRoutes({ tasks, fleet, travelTimes: travelTimesBy(planner), now }),
    ...carRoutes(fleet, telemetry),
    ...telemetryRoutes(telemetry, fleet),
    ...replicaRoutes(store.feed, { tasks, now }),
    ...territoryRoutes(territory),
    ...tileRoutes(map),
    ...stationRoutes(facts, metrics),
  ];
  const routes = [...rooms, ...documentationRoutes(rooms, VERSION)];
  const access = log.logger('http');
  const appOf = (wanted: readonly Route[], pages: boolean): Express => createApp({
    routes: wanted,
    authenticate: (token) => accounts.authenticate(token),
    reportBug: (id, error) => access.error(`Request failed as ${id}.`, error),
    observe: (request, response, pattern, seconds) => {
      metrics.answered(request.method, pattern, response.statusCode, seconds);
      access.debug(`${request.method} ${withoutToken(request.originalUrl)} ${response.statusCode} ${Math.round(seconds * 1000)} ms`);
    },
    rest: pages ? consolePages(config.pages ?? PAGES) : otherServices,
    ...(trials.checkAnswers ? { checkAnswers: true } : {}),
  });

  const live = new Live({ authenticate: (token) => accounts.authenticate(token), renew: (caller) => accounts.renew(caller), fleet, feed: store.feed, rules: () => tasks.rules() });
  onClose(() => live.close());
  onClose(territory.onProgress((state) => live.broadcast('TERRITORY_PROGRESS', presentImport(state))));
  const http = await listen(appOf(routes, true), { host: config.host, port: config.port, onUpgrade: live.upgrade });
  onClose(() => http.stop());
  const router = config.routerPort === null ? undefined : await listen(appOf(routes.filter((route) => route.family === 'C'), false), { host: config.host, port: config.routerPort });
  if (router) onClose(() => router.stop());

  onClose(leaveControl(config.data, { address: http.address, token: accounts.grantControl(), process: process.pid }));
  say.info(`Waypost ${VERSION} answers at ${http.address}.`);
  if (demo && config.demoSpeed > 0) {
    const drivers = await startDrivers({ accounts, address: http.address, speedUp: config.demoSpeed, say: (message) => log.logger('demo').info(message) });
    onClose(() => drivers.stop());
  }
  onClose(() => say.info('The station stops.'));
  return { address: http.address, port: http.port, routerPort: router?.port, accounts, demo, routes, stop };
}

/** A rejection that nobody handled is a bug, but no reason to leave a control room alone: it is logged. A crash leaves its reason in the log. */
function logBugs(say: (message: string, error: unknown) => void, flush: () => void): () => void {
  const onRejection = (error: unknown) => say('A bug: nobody handled this rejection.', error);
  const onCrash = (error: unknown) => {
    say('A bug: this error ended the station.', error);
    flush();
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtExceptionMonitor', onCrash);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtExceptionMonitor', onCrash);
  };
}

/** Tokens never come into a log. */
function withoutToken(url: string): string {
  return url.replace(/([?&]token=)[^&]*/gi, '$1…').slice(0, 2000);
}
