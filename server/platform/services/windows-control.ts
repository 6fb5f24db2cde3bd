import { setTimeout as wait } from 'node:timers/promises';
import * as calls from './windows-calls.ts';
import type { WindowsHandle, WindowsServiceState } from './windows-calls.ts';

const { STATE, WINDOWS_ERROR } = calls;

export interface WindowsServiceDefinition {
  readonly name: string;
  readonly display: string;
  readonly description: string;
  /** The command line that Windows starts. */
  readonly line: string;
  /** `NT SERVICE\NAME` is an account of this service alone, without a password. */
  readonly account: string;
}

/** Writes the definition, also over an earlier one of that name. */
export function installWindowsService({ name, display, description, line, account }: WindowsServiceDefinition): void {
  withManager(CREATE, (manager) => {
    const service = orUndefined(WINDOWS_ERROR.noSuchService, () => calls.openService(manager, name, ALL));
    const words = [line, null, null, null, account, null];
    const own = service ?? calls.createService(manager, name, display, ALL, OWN_PROCESS, AUTOMATIC, NORMAL, ...words);
    try {
      if (service) calls.changeService(service, OWN_PROCESS, AUTOMATIC, NORMAL, ...words, display);
      calls.describeService(own, description);
      calls.restartService(own, RESTART_AFTER);
    } finally {
      calls.closeHandle(own);
    }
  });
}

/** Starts the service and waits until it runs. Returns its last state, so that a failed start shows. */
export function startWindowsServiceByName(name: string): Promise<WindowsServiceState | undefined> {
  return withService(name, async (service) => {
    orUndefined(WINDOWS_ERROR.alreadyRunning, () => calls.startService(service, 0, null));
    return settled(service, (state) => state !== STATE.startPending, START_WITHIN);
  });
}

/** Asks the service to stop and waits for it. Returns its last state; undefined: no service has that name. */
export function stopWindowsService(name: string): Promise<WindowsServiceState | undefined> {
  return withService(name, async (service) => {
    orUndefined(WINDOWS_ERROR.notActive, () => calls.stopService(service));
    return settled(service, (state) => state === STATE.stopped, STOP_WITHIN);
  });
}

export function windowsServiceState(name: string): Promise<WindowsServiceState | undefined> {
  return withService(name, async (service) => calls.windowsStateOf(service));
}

/** Stops and deletes the service. Returns whether there was one. */
export async function removeWindowsService(name: string): Promise<boolean> {
  const state = await stopWindowsService(name);
  if (state) await withService(name, async (service) => calls.deleteService(service));
  return state !== undefined;
}

/** Rights: `SC_MANAGER_CONNECT` and `SC_MANAGER_CREATE_SERVICE`, `SERVICE_ALL_ACCESS`. */
const CONNECT = 0x1;
const CREATE = 0x3;
const ALL = 0xf01ff;
const OWN_PROCESS = 0x10;
const AUTOMATIC = 2;
const NORMAL = 1;
/** ms until the first, the second and each later start after a crash. */
const RESTART_AFTER = [5_000, 5_000, 60_000];
/**
 * ms. The first start after an update may convert a large database: it then continues after the command has
 * ended.
 */
const START_WITHIN = 120_000;
const STOP_WITHIN = 90_000;
const LOOK_EVERY = 200;

async function settled(service: WindowsHandle, done: (state: number) => boolean, within: number) {
  const end = performance.now() + within;
  for (;;) {
    const state = calls.windowsStateOf(service);
    if (done(state.state) || performance.now() > end) return state;
    await wait(LOOK_EVERY);
  }
}

async function withService<T>(name: string, use: (service: WindowsHandle) => Promise<T>): Promise<T | undefined> {
  return withManager(CONNECT, async (manager) => {
    const service = orUndefined(WINDOWS_ERROR.noSuchService, () => calls.openService(manager, name, ALL));
    if (service === undefined) return undefined;
    try {
      return await use(service);
    } finally {
      calls.closeHandle(service);
    }
  });
}

function withManager<T>(rights: number, use: (manager: WindowsHandle) => T): T {
  const manager = calls.openManager(null, null, rights);
  const close = () => void calls.closeHandle(manager);
  let result: T;
  try {
    result = use(manager);
  } catch (error) {
    close();
    throw error;
  }
  if (result instanceof Promise) return result.finally(close) as T;
  close();
  return result;
}

/** The result of `call`; undefined when Windows refuses it with this number. */
function orUndefined<T>(number: number, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof calls.WindowsCallFailed && error.number === number) return undefined;
    throw error;
  }
}
