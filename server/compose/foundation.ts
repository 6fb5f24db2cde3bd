import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts, holdFactorRoles } from '../access/accounts/index.ts';
import type { PasswordCost } from '../access/accounts/index.ts';
import { Audit, Forwarder, syslogTarget, watchRecords } from '../access/audit/index.ts';
import { reason, type Reason } from '../../shared/refusals/reason.ts';
import type { StationConfig } from '../config/index.ts';
import { journalWriter, lineWriter, Log, type Logger } from '../log/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { isDiskFull } from '../platform/disk/disk-full.ts';
import { openIdentity } from './identity.ts';
import { Leadership } from '../replication/sync/index.ts';
import { DiskFailed, WalGrowing, makeDataDirectory, openStore, LongTransaction } from '../store/index.ts';
import type { Store } from '../store/types.ts';

export interface StationOptions {
  /**
   * Gets the random password of `admin` on the very first start, as soon as it is stored. It is called even
   * if the start fails later, because the password is made only once.
   */
  readonly tellPassword?: (password: string) => void;
  /** Restarts the station after it was stopped; undefined: its caller has to. */
  readonly restart?: () => void;
  /** Why this program only keeps a copy of the records of its region; undefined: it writes its own. */
  readonly readsOnly?: Reason;
  /** For tests. */
  readonly passwordCost?: PasswordCost;
  readonly checkAnswers?: boolean;
  readonly trackWriterScript?: URL;
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** The parts that every other part uses: settings, clock, log, store and accounts. */
export function openFoundation(config: StationConfig, options: StationOptions) {
  return openOrClose(async (stack) => {
    const now = Date.now;
    makeDataDirectory(config.data);
    const log = stack.use(
      Log.open({
        directory: join(config.data, 'log'),
        minLevel: config.logLevel,
        copy: config.logFormat === 'off' ? journalWriter(process.env) : lineWriter(config.logFormat, process.stdout),
      }),
    );
    stack.defer(logUnhandledErrors(log));
    const storeLog = log.logger('store');
    const store = stack.use(
      await openStore({
        directory: config.data,
        stationNumber: config.stationNumber,
        now,
        report: (error) => logStoreError(storeLog, error),
      }),
    );
    const readsOnly = config['serve.role'] === 'consoles' ? reason('consoles.readsOnly') : options.readsOnly;
    if (readsOnly) store.setReadOnly(readsOnly);
    const audit = await openAudit(config, store, log, (close) => stack.defer(close));
    const leadership = new Leadership(store);
    const identity = await openIdentity(config, now, () => store.stationNumber, log.logger('identity'));
    const factorRule = {
      who: config['signIn.secondFactor'],
      roles: config['signIn.secondFactorRoles'],
      held: new Set<number>(),
    };
    const accounts = stack.use(
      await Accounts.open({
        store,
        audit: audit.trail,
        clock: now,
        adminPassword: config.adminPassword ?? undefined,
        passwordCost: options.passwordCost,
        passwordLeast: config['password.least'],
        secondFactor: factorRule,
        codeTolerance: config['signIn.codeTolerance'],
        identityRules: identity.rules,
        directory: identity.directory,
      }),
    );
    const warn = (message: string) => log.logger('accounts').warn(message);
    stack.defer(await holdFactorRoles(factorRule, { store, roles: accounts.roles, warn }));
    if (accounts.printedPassword !== undefined) options.tellPassword?.(accounts.printedPassword);
    return {
      ...{ config, options, now, log, store, leadership, accounts },
      audit: audit.trail,
      forwarder: audit.forwarder,
      provider: identity.provider,
    };
  });
}

/** ms between two removals of old entries. */
const SWEEP_AUDIT = 6 * 3_600_000;

/** The audit trail, before anybody writes: records that it watches, old entries, and the syslog receiver. */
async function openAudit(config: StationConfig, store: Store, log: Log, defer: (close: () => unknown) => void) {
  const logger = log.logger('audit');
  const trail = await Audit.open({ store });
  defer(watchRecords(store, trail));
  const days = config['audit.days'];
  const sweep = () =>
    days !== null &&
    void trail.sweep(days).catch((error: unknown) => logger.error('Old entries could not be removed.', error));
  const timer = setInterval(sweep, SWEEP_AUDIT).unref();
  defer(() => clearInterval(timer));
  sweep();
  const address = config['audit.syslog'];
  const authority = config['audit.syslogAuthority'];
  const forwarder =
    address === null
      ? undefined
      : Forwarder.start({
          store,
          audit: trail,
          target: syslogTarget(address),
          authority: authority === null ? undefined : readFileSync(authority, 'utf8'),
          report: (message) => logger.warn(message),
        });
  if (forwarder) defer(() => forwarder.close());
  return { trail, forwarder };
}

/**
 * Logs rejections that nobody handles: a bug, but no reason to stop a control room. Logs the error of a crash
 * before the process ends. Returns the function that stops this.
 */
function logUnhandledErrors(log: Log): () => void {
  const logger = log.logger('station');
  const onRejection = (error: unknown) => logger.error('A bug: nobody handled this rejection.', error);
  const onCrash = (error: unknown) => {
    logger.error('A bug: this error ended the station.', error);
    log.flushNow();
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtExceptionMonitor', onCrash);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtExceptionMonitor', onCrash);
  };
}

function logStoreError(logger: Logger, error: unknown): void {
  if (error instanceof LongTransaction || error instanceof WalGrowing) logger.warn(error.message);
  else if (error instanceof DiskFailed) logger.error(error.message);
  else if (isDiskFull(error)) logger.error('The disk of the station is full: a write was refused.');
  else logger.error('A bug: a listener failed.', error);
}
