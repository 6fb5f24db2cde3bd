import { join } from 'node:path';
import { mayDo, type Actor } from '../../shared/access.ts';
import { Attachments, Conversions, Files, VirusScanner } from '../dispatch/files/index.ts';
import { Calls } from '../dispatch/calls/index.ts';
import { Crews } from '../dispatch/crews/index.ts';
import { Incidents } from '../exchange/eido/index.ts';
import { Mailbox } from '../exchange/mailbox/index.ts';
import { Sms } from '../exchange/sms/index.ts';
import { Telephony } from '../exchange/telephony/index.ts';
import { Fleet, seedVehicleKinds } from '../dispatch/fleet/index.ts';
import { OwnPlaces } from '../dispatch/places/index.ts';
import { MailQueue, Notices, PostQueue, ReportFiles, SentSweep, type People } from '../reporting/notify/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { mayRead, seedTasks, Tasks } from '../dispatch/tasks/index.ts';
import type { Foundation } from './foundation.ts';

/** ms between two sweeps of uploads. */
const SWEEP_INTERVAL = 60 * 60 * 1000;

export type Dispatch = Awaited<ReturnType<typeof openDispatch>>;

/** The work of dispatchers: fleet, files, tasks and notices. */
export function openDispatch({ config, now, log, store, accounts, audit }: Foundation) {
  return openOrClose(async (stack) => {
    if (store.readOnly === undefined) await Promise.all([seedTasks(store), seedVehicleKinds(store)]);
    const fleet = stack.use(new Fleet({ store, now }));
    const places = stack.use(
      new OwnPlaces({ store, hasOrganization: (id) => accounts.organizations.get(id)?.isDeleted === false }),
    );
    const filesLog = log.logger('files');
    const files = new Files({
      directory: join(config.data, 'files'),
      store,
      limit: config.uploadLimit * 1_000_000,
      quota: config.uploadQuota * 1_000_000,
      scanner:
        config['files.scanner'] === null
          ? undefined
          : new VirusScanner(config['files.scanner'], (message) => filesLog.warn(message)),
      now,
      organizationOf: (userId) => accounts.users.get(userId)?.organizationId,
    });
    const attachments = new Attachments({ store, files, now });
    const conversions = stack.use(
      new Conversions({
        attachments,
        files,
        workshop: join(config.data, 'files', 'converting'),
        ffmpeg: config.ffmpeg === 'off' ? null : config.ffmpeg,
        isPaused: () => store.readOnly !== undefined,
        report: (message, error) => filesLog.error(message, error),
      }),
    );
    stack.defer(
      store.onReadOnly(
        () =>
          void conversions.resume().catch((error: unknown) => filesLog.error('Conversions could not continue.', error)),
      ),
    );
    const tasksLog = log.logger('tasks');
    const tasks = stack.use(new Tasks({ store, fleet, attachments, now, warn: (message) => tasksLog.warn(message) }));
    stack.defer(reportCrews(fleet, tasks, (error) => tasksLog.error('A crew’s report is missing on its task.', error)));
    const calls = new Calls({
      store,
      now,
      nameOfUser: (id) => tasks.users.get(id)?.name ?? '',
      requireTask: (by, id) => void tasks.get(by, id),
    });
    const telephonyLog = log.logger('telephony');
    const telephony = stack.use(
      await Telephony.open({
        ...{ store, calls, now },
        peopleAt: (extension) =>
          accounts.users
            .all()
            .filter((user) => user.extension === extension)
            .flatMap(({ id }) => enabledActor(tasks, id) ?? []),
        report: (message, error) =>
          error === undefined ? telephonyLog.warn(message) : telephonyLog.error(message, error),
      }),
    );
    const crews = stack.use(
      await Crews.open({
        store,
        fleet,
        tasks,
        audit,
        now,
        attempt: (address, verify) => accounts.credentials.attempt(address, verify),
      }),
    );
    const smsLog = log.logger('sms');
    const sms = stack.use(
      await Sms.open({
        ...{ store, fleet, crews, now },
        stationName: config.name,
        report: (message, error) => smsLog.error(message, error),
      }),
    );
    const mailboxLog = log.logger('mailbox');
    const mailbox = stack.use(
      await Mailbox.open({
        ...{ store, tasks, files, now },
        mailFrom: config.mailFrom,
        report: (message, error) => mailboxLog.error(message, error),
      }),
    );
    files.keepReferenced((sha256) => attachments.has(sha256) || fleet.shows(sha256) || tasks.directories.shows(sha256));
    stack.defer(
      sweepEveryHour(files, (error) => filesLog.error('Uploads that nobody needs could not be cleared.', error)),
    );

    const notifyLog = log.logger('notify');
    const report = (message: string, error?: unknown) => notifyLog.error(message, error);
    const reportFiles = new ReportFiles(join(config.data, 'reports'));
    const mail = stack.use(
      new MailQueue({
        ...{ store, now, report },
        smtpUrl: config.smtpUrl,
        from: config.mailFrom,
        openFile: (file) => reportFiles.read(file),
      }),
    );
    stack.use(new SentSweep({ store, days: config.mailDays, now, report }));
    const notices = stack.use(new Notices({ store, people: peopleOf(tasks), now, queued: () => mail.wake(), report }));
    const post = new PostQueue({ store, now });
    const incidents = await Incidents.open({ store, tasks, now });
    const ways = { telephony, sms, mailbox, mail, incidents };
    return { fleet, places, files, conversions, tasks, calls, crews, ...ways, reportFiles, notices, post };
  });
}

/** Passes the reports of crews to the tasks of their units. Returns the function that stops this. */
function reportCrews(fleet: Fleet, tasks: Tasks, failed: (error: unknown) => void): () => void {
  const told = new Map<number, number>();
  return fleet.states.watch((changed) => {
    for (const { id, unitStatus, unitStatusSince } of changed) {
      if (unitStatusSince === 0 || told.get(id) === unitStatusSince) continue;
      told.set(id, unitStatusSince);
      tasks.units.report(id, unitStatus, unitStatusSince).catch(failed);
    }
  });
}

/** Clears unclaimed uploads now and every hour. Returns the function that stops this. */
function sweepEveryHour(files: Files, report: (error: unknown) => void): () => void {
  const sweep = () => void files.sweep().catch(report);
  sweep();
  const timer = setInterval(sweep, SWEEP_INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}

/** The user with this id and their role, while enabled. */
export function enabledActor({ users, roles }: Tasks, userId: number): Actor | undefined {
  const user = users.get(userId);
  const role = user && roles.get(user.roleId);
  return user && role && !user.isDeleted && user.enabled ? { user, role } : undefined;
}

/**
 * Answers the questions of notices about people. A user has no postal address: letters go to the address of
 * their organization.
 */
function peopleOf(tasks: Tasks): People {
  const actorOf = (userId: number) => enabledActor(tasks, userId);
  return {
    user: (id) => {
      const user = tasks.users.get(id);
      return user && !user.isDeleted && user.enabled
        ? {
            userId: id,
            name: user.name,
            mail: user.email.trim(),
            address: tasks.organizations.get(user.organizationId)?.info.address ?? '',
          }
        : undefined;
    },
    organization: (id) => {
      const organization = tasks.organizations.get(id);
      return organization && !organization.isDeleted
        ? {
            userId: 0,
            name: organization.name,
            mail: organization.info.email.trim(),
            address: organization.info.address,
          }
        : undefined;
    },
    watchers: (task) => tasks.watchers.of(task).map(({ id }) => id),
    named: ({ authorId, text }) => {
      const author = tasks.users.get(authorId);
      return author ? tasks.watchers.namedIn(author, text).map(({ id }) => id) : [];
    },
    maySee: (userId, task) => {
      const actor = actorOf(userId);
      return actor !== undefined && mayDo(actor, 'view', task, tasks.rules());
    },
    mayRead: (userId, comment, task) => {
      const actor = actorOf(userId);
      return actor !== undefined && mayRead(actor, comment, task);
    },
  };
}
