import type { ServiceManager } from './service-manager.ts';
import { connectService, CONTROL, STATE, WINDOWS_ERROR } from './windows-calls.ts';

/** This process as a service of Windows. */
export interface WindowsService extends ServiceManager {
  /** The last word. With a `fault` Windows shows that number, and does not start the service again. */
  stopped(fault: number): Promise<void>;
}

/** ms between two progress reports of a start or a stop, and within which Windows expects the next. */
const PROGRESS_EVERY = 5_000;
const PROGRESS_WITHIN = 30_000;
const OWN_PROCESS = 0x10;
/** `SERVICE_ACCEPT_STOP` and `SERVICE_ACCEPT_PRESHUTDOWN`: before the machine ends there is time for the disk. */
const ACCEPTED = 0x1 | 0x100;

/**
 * Tells the Service Control Manager that the process starts; `stop` is called when it asks for the end. A process that
 * ends without `stopped` has crashed in the eyes of Windows, which starts it again.
 */
export async function startWindowsService(name: string, stop: () => void): Promise<WindowsService> {
  let asked = false;
  const end = Promise.withResolvers<void>();
  const endings = new Set<number>([CONTROL.stop, CONTROL.shutdown, CONTROL.preshutdown]);
  const tell = await connectService(
    name,
    (control) => {
      if (asked || !endings.has(control)) return;
      asked = true;
      pending(STATE.stopPending);
      stop();
    },
    () => end.resolve(),
  );
  let checkpoint = 0;
  let timer: NodeJS.Timeout | undefined;
  const state = (now: number, win32 = 0, specific = 0) => {
    const going = now === STATE.startPending || now === STATE.stopPending;
    checkpoint = going ? checkpoint + 1 : 0;
    const accepted = now === STATE.running ? ACCEPTED : 0;
    tell({ type: OWN_PROCESS, state: now, accepted, win32, specific, checkpoint, hint: going ? PROGRESS_WITHIN : 0 });
  };
  const pending = (now: number) => {
    clearInterval(timer);
    state(now);
    timer = setInterval(() => state(now), PROGRESS_EVERY);
    timer.unref();
  };
  pending(STATE.startPending);
  return {
    async ready() {
      clearInterval(timer);
      state(STATE.running);
    },
    async stopping() {
      pending(STATE.stopPending);
    },
    async stopped(fault) {
      clearInterval(timer);
      state(STATE.stopped, fault === 0 ? 0 : WINDOWS_ERROR.serviceSpecific, fault);
      await end.promise;
    },
  };
}
