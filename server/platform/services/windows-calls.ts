import koffi from 'koffi';

/** States of a service, as the Service Control Manager of Windows numbers them. */
export const STATE = { stopped: 1, startPending: 2, stopPending: 3, running: 4 } as const;
/** Requests of the manager to a service. */
export const CONTROL = { stop: 0x1, shutdown: 0x5, preshutdown: 0xf } as const;
/** Numbers of the errors of Windows that callers tell apart. */
export const WINDOWS_ERROR = {
  accessDenied: 5,
  serviceSpecific: 1066,
  alreadyRunning: 1056,
  noSuchService: 1060,
  notActive: 1062,
  notStartedByManager: 1063,
  alreadyExists: 1073,
} as const;

/** The state of a service. `checkpoint` grows during a start or a stop, `hint` is in ms. */
export interface WindowsServiceState {
  readonly type: number;
  readonly state: number;
  readonly accepted: number;
  readonly win32: number;
  readonly specific: number;
  readonly checkpoint: number;
  readonly hint: number;
}

/** A failed call of Windows. `number` is that of `GetLastError`. */
export class WindowsCallFailed extends Error {
  readonly number: number;

  constructor(call: string, number: number) {
    super(`${call} failed with the error ${number} of Windows.`);
    this.name = 'WindowsCallFailed';
    this.number = number;
  }
}

/** An address in Windows; null where a call failed. */
export type WindowsHandle = unknown;

const U32 = 'uint32';
const ServiceMain = koffi.proto('__stdcall', 'ServiceMain', 'void', [U32, 'void *']);
const ServiceHandler = koffi.proto('__stdcall', 'ServiceHandler', U32, [U32, U32, 'void *', 'void *']);
const Entry = koffi.struct('SERVICE_TABLE_ENTRY', { name: 'str16', main: koffi.pointer(ServiceMain) });
const State = koffi.struct('SERVICE_STATUS', {
  type: U32,
  state: U32,
  accepted: U32,
  win32: U32,
  specific: U32,
  checkpoint: U32,
  hint: U32,
});
const Description = koffi.struct('SERVICE_DESCRIPTION', { text: 'str16' });
const Action = koffi.struct('SC_ACTION', { type: U32, delay: U32 });
const FailureActions = koffi.struct('SERVICE_FAILURE_ACTIONS', {
  reset: U32,
  message: 'str16',
  command: 'str16',
  count: U32,
  actions: koffi.pointer(Action),
});

const advapi = koffi.load('advapi32.dll');
const lastError = koffi.load('kernel32.dll').func('__stdcall', 'GetLastError', U32, []) as () => number;
const handle = 'void *';
const text = 'str16';
type Types = Parameters<typeof koffi.sizeof>;
const declare = (name: string, result: string, types: Types[0][]) => advapi.func('__stdcall', name, result, types);

/** Calls, and throws where Windows says 0. */
function checked<T>(name: string, call: (...values: never[]) => T): (...values: unknown[]) => T {
  return (...values) => {
    const result = call(...(values as never[]));
    if (result === 0 || result === null) throw new WindowsCallFailed(name, lastError());
    return result;
  };
}
const chain = (name: string, result: string, types: (Types[0] | ReturnType<typeof koffi.out>)[]) =>
  checked<WindowsHandle>(name, declare(name, result, types));

export const openManager = chain('OpenSCManagerW', handle, [text, text, U32]);
export const openService = chain('OpenServiceW', handle, [handle, text, U32]);
export const closeHandle = declare('CloseServiceHandle', 'int', [handle]) as (one: WindowsHandle) => number;
export const createService = chain('CreateServiceW', handle, [
  ...[handle, text, text, U32, U32, U32, U32],
  ...[text, text, 'uint32 *', text, text, text],
]);
export const changeService = chain('ChangeServiceConfigW', 'int', [
  ...[handle, U32, U32, U32],
  ...[text, text, 'uint32 *', text, text, text, text],
]);
export const deleteService = chain('DeleteService', 'int', [handle]);
export const startService = chain('StartServiceW', 'int', [handle, U32, handle]);
const controlService = chain('ControlService', 'int', [handle, U32, koffi.out(koffi.pointer(State))]);
const queryService = chain('QueryServiceStatus', 'int', [handle, koffi.out(koffi.pointer(State))]);
const changeDetails = chain('ChangeServiceConfig2W', 'int', [handle, U32, handle]);
const registerHandler = chain('RegisterServiceCtrlHandlerExW', handle, [text, koffi.pointer(ServiceHandler), handle]);
const setState = chain('SetServiceStatus', 'int', [handle, koffi.pointer(State)]);
const dispatch = declare('StartServiceCtrlDispatcherW', 'int', [koffi.pointer(Entry)]);

export function windowsStateOf(service: WindowsHandle): WindowsServiceState {
  const state = {};
  queryService(service, state);
  return state as WindowsServiceState;
}

export const stopService = (service: WindowsHandle) => controlService(service, CONTROL.stop, {});

export function describeService(service: WindowsHandle, description: string): void {
  changeDetails(service, 1, koffi.as({ text: description }, koffi.pointer(Description)));
}

/** A process that ends unexpectedly is restarted after these ms; the sequence starts again after a day. */
export function restartService(service: WindowsHandle, delays: readonly number[]): void {
  const actions = koffi.alloc(Action, delays.length) as unknown;
  const rows = delays.map((delay) => ({ type: 1, delay }));
  koffi.encode(actions, koffi.array(Action, delays.length), rows);
  const all = { reset: 86_400, message: null, command: null, count: delays.length, actions };
  changeDetails(service, 2, koffi.as(all, koffi.pointer(FailureActions)));
  koffi.free(actions);
}

/**
 * Connects this process with the manager that started it. `control` is called with each request of the manager. The
 * promise gives the function that reports a state; `ended` is called when the manager has read `STATE.stopped`.
 */
export function connectService(
  name: string,
  control: (asked: number) => void,
  ended: () => void,
): Promise<(state: WindowsServiceState) => void> {
  return new Promise((resolve, reject) => {
    // Windows calls both from threads of its own; koffi runs them here, on the event loop.
    const handler = koffi.register((asked: number) => {
      control(asked);
      return 0;
    }, koffi.pointer(ServiceHandler));
    const main = koffi.register(() => {
      try {
        const own = registerHandler(name, handler, null);
        resolve((state) => void setState(own, state));
      } catch (error) {
        reject(error as Error);
      }
    }, koffi.pointer(ServiceMain));
    // Windows reads the table as long as the service lives: it is never freed.
    const table = koffi.alloc(Entry, 2) as unknown;
    koffi.encode(table, koffi.array(Entry, 2), [
      { name, main },
      { name: null, main: null },
    ]);
    dispatch.async(table, (error: Error | null, result: number) => {
      if (error) reject(error);
      else if (result === 0) reject(new WindowsCallFailed('StartServiceCtrlDispatcherW', lastError()));
      else ended();
    });
  });
}
