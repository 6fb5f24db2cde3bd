import { basename, join } from 'node:path';
import { mayDo } from '../shared/access.ts';
import { Accounts } from './accounts/index.ts';
import type { PasswordCost } from './accounts/index.ts';
import { CloseStack } from './platform/close-stack.ts';
import { Closures } from './closures/index.ts';
import type { StationConfig } from './config.ts';
import { leaveControl } from './control.ts';
import { fillDemo, fillDemoPast, publicLogins, startDrivers } from './demo/index.ts';
import { isDiskFull } from './platform/disk-full.ts';
import {
  Alarms,
  Events,
  EventSettingsBook,
  FoldThread,
  Pasts,
  Replays,
  RoadLimitsBook,
  TaskBook,
  WorldBook,
} from './events/index.ts';
import { Attachments, Conversions, Files } from './files/index.ts';
import { Fleet } from './fleet/index.ts';
import { startGeocoder } from './geocoding/index.ts';
import { isOwnMachine, startInterface } from './http/index.ts';
import type { Interface } from './http/index.ts';
import { Log, type Logger } from './log/index.ts';
import { startMap } from './map/index.ts';
import { MailQueue, Notices, PostQueue, SentSweep, type People } from './notify/index.ts';
import { DEMO_TOWN, PAGES, VERSION } from './platform/program.ts';
import { startPlanner } from './routing/index.ts';
import { Speeds } from './speeds/index.ts';
import { DiskFailed, LogGrows, makeDataDirectory, namingDamage, openStore, WritesHeldUp } from './store/index.ts';
import { mayRead, seedTasks, Tasks } from './tasks/index.ts';
import { openDeviceListeners, openTelemetry } from './telemetry/index.ts';
import { FILES, openTerritory } from './territory/index.ts';

export interface Station {
  /** Where this machine finds the console, such as `http://127.0.0.1:8480`. */
  readonly address: string;
  readonly http: Interface;
  readonly accounts: Accounts;
  /** What to tell whoever started it, when the demo can be reached from other machines. */
  readonly openDemo: string | undefined;
  /** What to tell whoever started it, when the logins of a former demo still open it. */
  readonly leftDemo: string | undefined;
  /** It shows the demo, whose logins are known. */
  readonly demo: boolean;
  /** Ends everything in turn. What was acknowledged is on disk. */
  stop(): Promise<void>;
}

interface StationOptions {
  /**
   * Told the random password of `admin` as soon as it holds, on the very first start: also when that start
   * then fails, since it is made only once.
   */
  readonly tellPassword?: (password: string) => void;
  /** What tests change. */
  readonly passwordCost?: PasswordCost;
  readonly checkAnswers?: boolean;
}

/**
 * Opens the rooms, introduces them to each other, and answers. When one of them cannot be opened, those
 * before it are closed again.
 */
export async function startStation(config: StationConfig, options: StationOptions = {}): Promise<Station> {
  const stack = new CloseStack();
  try {
    return { ...(await open(config, options, (close) => stack.defer(close))), stop: () => stack.close() };
  } catch (error) {
    await stack.close();
    throw namingDamage(join(config.data, 'station.db'), error);
  }
}

/** A demo that drives faster than life dates its positions ahead of the clock. */
function futureLimitOf({ demo, demoSpeed, 'telemetry.futureLimit': limit }: StationConfig): number {
  return demo && demoSpeed > 1 ? Math.max(limit, 86_400) : limit;
}

/** `onClose` takes what ends a room when the rooms opened after it have ended. */
async function open(
  config: StationConfig,
  options: StationOptions,
  onClose: (close: () => unknown) => void,
): Promise<Omit<Station, 'stop'>> {
  const now = Date.now;
  makeDataDirectory(config.data);
  const log = Log.open({ directory: join(config.data, 'log'), minLevel: config.logLevel });
  onClose(() => log.close());
  onClose(logBugs(log));

  const store = await openStore({
    directory: config.data,
    stationNumber: config.stationNumber,
    now,
    report: (error) => sayOfStore(log.logger('store'), error),
  });
  onClose(() => store.close());
  const accounts = await Accounts.open({
    store,
    clock: now,
    adminPassword: config.adminPassword ?? undefined,
    passwordCost: options.passwordCost,
  });
  onClose(() => accounts.close());
  if (accounts.printedPassword !== undefined) options.tellPassword?.(accounts.printedPassword);
  await seedTasks(store);
  const fleet = new Fleet({ store, now });
  onClose(() => fleet.close());
  const files = new Files({
    directory: join(config.data, 'files'),
    store,
    limit: config.uploadLimit * 1_000_000,
    quota: config.uploadQuota * 1_000_000,
    now,
    organizationOf: (userId) => accounts.users.get(userId)?.organizationId,
  });
  const attachments = new Attachments({ store, files, now });
  const conversions = new Conversions({
    attachments,
    files,
    workshop: join(config.data, 'files', 'converting'),
    ffmpeg: config.ffmpeg === 'off' ? null : config.ffmpeg,
    report: (message, error) => log.logger('files').error(message, error),
  });
  onClose(() => conversions.close());
  const tasks = new Tasks({ store, fleet, attachments, now, warn: (message) => log.logger('tasks').warn(message) });
  onClose(() => tasks.close());
  files.keepReferenced((sha256) => attachments.has(sha256) || fleet.shows(sha256) || tasks.directories.shows(sha256));
  onClose(
    sweepEveryHour(files, (error) =>
      log.logger('files').error('Uploads that nobody needs could not be cleared.', error),
    ),
  );
  const mail = new MailQueue({
    store,
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    now,
    report: (message, error) => log.logger('notify').error(message, error),
  });
  onClose(() => mail.close());
  const sentMail = new SentSweep({
    store,
    days: config.mailDays,
    now,
    report: (message, error) => log.logger('notify').error(message, error),
  });
  onClose(() => sentMail.close());
  const notices = new Notices({
    store,
    people: peopleOf(tasks),
    now,
    queued: () => mail.wake(),
    report: (message, error) => log.logger('notify').error(message, error),
  });
  onClose(() => notices.close());
  const telemetry = openTelemetry({
    directory: config.data,
    now,
    findVehicle: (device) => fleet.withDevice(device),
    engineOn: (vehicleId, fix) => fleet.engineOn(vehicleId, fix),
    organizationOf: (vehicleId) => fleet.organizationOf(vehicleId),
    publish: (states) => fleet.states.take(states),
    tracksChanged: (spans) => {
      events.tracksChanged(spans);
      speeds.notice(spans);
      for (const { vehicleId, from } of spans) taskBook.trackChanged(vehicleId, from);
    },
    futureLimit: futureLimitOf(config),
    quarantineLimit: config['telemetry.quarantineLimit'],
    log: (level, message) => log.logger('telemetry')[level === 'ERROR' ? 'error' : 'warn'](message),
  });
  onClose(() => telemetry.close());
  const pasts = new Pasts({
    store,
    now,
    report: (error) => log.logger('events').error('What was before a change could not be noted.', error),
  });
  onClose(() => pasts.close());
  const taskBook: TaskBook = new TaskBook({
    store,
    pasts,
    now,
    placeAt: (vehicleId, time) => telemetry.placeAt(vehicleId, time),
    requestsChange: (vehicleId, from) => worlds.requestsChange(vehicleId, from),
    requestsChanged: (vehicleIds) => worlds.requestsChanged(vehicleIds),
    revised: (revised) => events.tell(revised),
    report: (error) => log.logger('events').error('The events of a task could not be worked out.', error),
    warn: (message) => log.logger('events').warn(message),
  });
  onClose(() => taskBook.close());
  const limits = await RoadLimitsBook.open({
    directory: join(config.data, 'territory', 'limits'),
    now,
    hasTracks: () => telemetry.lastStates().length > 0,
    keptSince: () =>
      fleet
        .all()
        .reduce(
          (since, { id }) => Math.min(since, telemetry.retention.keptSince(id)),
          fleet.all().length > 0 ? now() : 0,
        ),
    report: (message, error) =>
      error === undefined ? log.logger('territory').warn(message) : log.logger('territory').error(message, error),
  });
  const worlds = new WorldBook({
    store,
    fleet,
    pasts,
    now,
    roads: limits,
    requests: (vehicleId, from) => taskBook.requests(vehicleId, from),
    report: (error) => log.logger('events').error('What surrounds vehicles could not be noted.', error),
  });
  onClose(() => worlds.close());
  const events = new Events({
    store,
    now,
    fold: new FoldThread({
      tracks: telemetry.file,
      station: store.file,
      table: store.table('events'),
      world: (vehicleId, from) => worlds.world(vehicleId, from),
      warn: (message) => log.logger('events').warn(message),
    }),
    lastTimes: () => telemetry.lastStates().map(({ id, time }) => [id, time] as const),
    processed: (spans) => telemetry.markProcessed(spans),
    isBacklogged: () => telemetry.isBacklogged,
    report: (error) => log.logger('events').error('The events of a vehicle could not be worked out.', error),
    warn: (message) => log.logger('events').warn(message),
  });
  onClose(() => events.close());
  onClose(worlds.watch((vehicleIds, from, done) => events.reconsider(vehicleIds, from, done)));
  taskBook.start();
  const replays = new Replays(join(config.data, 'tracks.db'));
  onClose(() => replays.close());
  const alarms = await Alarms.open({
    store,
    fleet,
    now,
    lastStates: () => telemetry.lastStates(),
    lostAfter: (vehicleId) => worlds.settingsNow(vehicleId).lostAfter,
    maySeeMessage: (actor, messageId) => {
      const message = tasks.stored(messageId);
      return message !== undefined && !message.withdrawn && mayDo(actor, 'view', message, tasks.rules());
    },
    report: (error) => log.logger('events').error('An alarm could not be raised or changed.', error),
  });
  onClose(() => alarms.close());
  events.tracksChanged(telemetry.unprocessedSpans());

  const territory = await openTerritory(join(config.data, 'territory'), {
    now,
    onDamage: (files) =>
      log
        .logger('territory')
        .error(
          `The territory was damaged on the disk after it had been imported (${files.join(', ')}). Import it again.`,
        ),
  });
  onClose(() => territory.close());
  const planner = await startPlanner({
    snapLimit: config['router.snapLimit'],
    warn: (message) => log.logger('routing').warn(message),
  });
  onClose(() => planner.close());
  const geocoder = startGeocoder({ warn: (message) => log.logger('geocoding').warn(message) });
  onClose(() => geocoder.close());
  const map = startMap((message) => log.logger('map').warn(message));
  onClose(() => map.close());
  /**
   * Those of the profiles that vehicles use, behind everything else, so that no question about one has to
   * wait for them.
   */
  const makeRoads = () => void planner.makeRoads(fleet.profiles());
  const goOver = async (directory: string | undefined) => {
    const opened = await Promise.allSettled([planner, geocoder, map].map((reader) => reader.open(directory)));
    // A territory that cannot be read (damaged, or of an older program) must not keep a control room from its
    // tasks.
    for (const result of opened)
      if (result.status === 'rejected')
        log.logger('territory').error('The territory cannot be used. Import it again.', result.reason);
    makeRoads();
    await speeds.goOver(directory);
    if (directory !== undefined) await limits.goOver(basename(directory), join(directory, FILES.limits));
  };
  const speeds: Speeds = await Speeds.open({
    store,
    directory: config.data,
    now,
    obey: (learned) => planner.setSpeeds(learned),
    drivesAsCar: (vehicleId) => fleet.profileOf(vehicleId) === 'car',
    lastTimes: () => telemetry.lastStates().map(({ id, time }) => [id, time] as const),
    report: (error) =>
      log
        .logger('speeds')
        .error(
          'Speeds could not be learned, or the router could not be told of them. It is tried again within a minute.',
          error,
        ),
  });
  onClose(() => speeds.close());
  await goOver(territory.directory);
  onClose(territory.onSwitch(goOver));
  const closures = await Closures.open({
    store,
    now,
    wideLimit: config['closures.wideLimit'],
    obey: (inForce) => planner.setClosures(inForce),
    roadsUnder: (geometry) => planner.roadsUnder(geometry),
    report: (error) =>
      log
        .logger('routing')
        .error('The router does not obey the closures yet; it is told again within a minute.', error),
  });
  onClose(() => closures.close());

  const ways = await openDeviceListeners(
    telemetry,
    (device) => deviceOf(fleet, device),
    { osmand: config.osmandPort, wialon: config.wialonPort, teltonika: config.teltonikaPort, egts: config.egtsPort },
    config.host,
    now,
  );
  onClose(() => ways.close());
  for (const [protocol, port] of Object.entries(ways.ports))
    log.logger('telemetry').info(`Listening for ${protocol} devices on port ${port}.`);

  const demo =
    config.demo &&
    (await fillDemo({ store, accounts, fleet, files, telemetry, territory }, { extract: DEMO_TOWN, now: now() }));
  if (demo) await accounts.skipFirstRun();
  if (demo) makeRoads();

  const http = await startInterface(
    {
      log,
      store,
      accounts,
      fleet,
      files,
      mail,
      post: new PostQueue({ store, now }),
      tasks,
      telemetry,
      events,
      eventSettings: new EventSettingsBook(store, fleet, now),
      worlds,
      replays,
      alarms,
      territory,
      planner,
      closures,
      speeds,
      geocoder,
      map,
    },
    {
      name: config.name,
      version: VERSION,
      anonymousRouting: config['router.anonymous'],
      now,
      host: config.host,
      port: config.port,
      tlsPort: config.tlsPort,
      routerPort: config.routerPort,
      pages: config.pages ?? PAGES,
      certificates: join(config.data, 'tls'),
      largestUpload: config.uploadLimit * 1_000_000,
      checkAnswers: options.checkAnswers,
    },
  );
  onClose(() => http.stop());
  await conversions.start();
  await notices.start();
  mail.wake();
  const address = http.main.addressHere;
  onClose(leaveControl(config.data, { address, token: accounts.grantControl(), process: process.pid }));

  if (demo && config.demoSpeed > 0) {
    const drivers = await startDrivers({
      accounts,
      address,
      speedUp: config.demoSpeed,
      say: (message) => log.logger('demo').info(message),
    });
    onClose(() => drivers.stop());
    onClose(
      fillDemoPast(
        { store, accounts, fleet, telemetry, planner },
        now(),
        () => speeds.rebuild(accounts.stationActor()),
        (error) => log.logger('demo').warn(`The past of the demo was not told: ${(error as Error).message}`),
      ),
    );
  }
  const say = log.logger('station');
  const openDemo =
    demo && !isOwnMachine(config.host)
      ? `Anybody who reaches ${config.host} can sign in: the logins of the demo are public. Keep no real work in ${config.data}, or serve the demo on 127.0.0.1.`
      : undefined;
  if (openDemo) say.warn(openDemo);
  const left = demo ? [] : await publicLogins({ store, accounts });
  const leftDemo =
    left.length === 0
      ? undefined
      : `${config.data} holds the data of the demo, and this is not the demo: everybody knows the passwords of ${left.join(', ')}. ` +
        'Disable these users or give them other passwords (waypost user disable LOGIN, waypost user password LOGIN), or serve with --demo.';
  if (leftDemo) say.warn(leftDemo);
  say.info(
    `Waypost ${VERSION} answers at ${[http.main, http.secure].flatMap((each) => each?.address ?? []).join(' and ')}.`,
  );
  onClose(() => say.info('The station stops.'));
  return { address, http, accounts, demo, openDemo, leftDemo };
}

/** A device calls itself by its IMEI or by the number of its unit. */
function deviceOf(fleet: Fleet, device: string): { id: number; glonassId: number; password: string } | undefined {
  const number = /^\d{1,10}$/.test(device) ? Number(device) : undefined;
  const vehicle =
    fleet.withDevice({ imei: device }) ?? (number === undefined ? undefined : fleet.withDevice({ glonassId: number }));
  return vehicle && { id: vehicle.id, glonassId: vehicle.glonassId, password: vehicle.devicePassword };
}

/**
 * A rejection that nobody handled is a bug, but no reason to leave a control room alone: it is logged. A
 * crash leaves its reason in the log.
 */
function logBugs(log: Log): () => void {
  const say = log.logger('station');
  const onRejection = (error: unknown) => say.error('A bug: nobody handled this rejection.', error);
  const onCrash = (error: unknown) => {
    say.error('A bug: this error ended the station.', error);
    log.flushNow();
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtExceptionMonitor', onCrash);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtExceptionMonitor', onCrash);
  };
}

/** Clears uploads that belong to nothing, now and every hour. Returns the way to stop. */
function sweepEveryHour(files: Files, report: (error: unknown) => void): () => void {
  const sweep = () => void files.sweep().catch(report);
  sweep();
  const timer = setInterval(sweep, 60 * 60 * 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * What notices ask about people. A user has no postal address of their own: letters go to their
 * organisation's.
 */
function peopleOf(tasks: Tasks): People {
  const actorOf = (userId: number) => {
    const user = tasks.users.get(userId);
    const right = user && tasks.rights.get(user.rightId);
    return user && right && !user.withdrawn && user.enabled ? { user, right } : undefined;
  };
  return {
    user: (id) => {
      const user = tasks.users.get(id);
      return user && !user.withdrawn && user.enabled
        ? {
            userId: id,
            name: user.name,
            mail: user.email.trim(),
            address: tasks.departments.get(user.organizationId)?.info.address ?? '',
          }
        : undefined;
    },
    department: (id) => {
      const department = tasks.departments.get(id);
      return department && !department.withdrawn
        ? { userId: 0, name: department.name, mail: department.info.email.trim(), address: department.info.address }
        : undefined;
    },
    maySee: (userId, message) => {
      const actor = actorOf(userId);
      return actor !== undefined && mayDo(actor, 'view', message, tasks.rules());
    },
    mayRead: (userId, comment, message) => {
      const actor = actorOf(userId);
      return actor !== undefined && mayRead(actor, comment, message);
    },
  };
}

function sayOfStore(say: Logger, error: unknown): void {
  if (error instanceof WritesHeldUp || error instanceof LogGrows) say.warn(error.message);
  else if (error instanceof DiskFailed) say.error(error.message);
  else if (isDiskFull(error))
    say.error('There is no room left on the disk of the station: what somebody wanted to write was refused.');
  else say.error('A bug: a listener failed.', error);
}
