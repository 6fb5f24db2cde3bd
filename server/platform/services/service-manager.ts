import { spawn } from 'node:child_process';

/** Notifies systemd about this process. Does nothing where another program started it. */
export interface ServiceManager {
  /** The start is done. `status` is asked now and with each sign of life; it becomes the line in `systemctl status`. */
  ready(status: () => Promise<string>): Promise<void>;
  /** The end has begun. */
  stopping(): Promise<void>;
}

type Notify = (words: readonly string[]) => Promise<void>;

interface Options {
  /** Sends states such as `READY=1`. */
  readonly notify?: Notify;
  /** Receives the first failure of several. */
  readonly report?: (error: Error) => void;
}

/** ms between two signs of life where no watchdog asks for them more often. */
const STATUS_EVERY = 20_000;
/** ms that a status may take. A sign of life does not wait longer for it. */
const STATUS_WITHIN = 5_000;

/**
 * Tells systemd that the process is ready, alive and about to stop (`Type=notify`, `WatchdogSec=`,
 * `NotifyAccess=all`). The watchdog messages come from the event loop: if it hangs, they cease, and systemd
 * restarts the process. Node has no datagram sockets of Unix, so `systemd-notify` sends them; since systemd
 * 246 it waits until they are read.
 */
export function serviceManager(environment: NodeJS.ProcessEnv, options: Options = {}): ServiceManager {
  const socket = environment['NOTIFY_SOCKET'];
  if (socket === undefined || socket === '') return { ready: async () => undefined, stopping: async () => undefined };
  const { notify = systemdNotify(socket, environment), report = () => undefined } = options;
  const watchdog = Number(environment['WATCHDOG_USEC'] ?? 0) / 1000;
  // Programs that this one starts have nothing to tell systemd.
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];

  let timer: NodeJS.Timeout | undefined;
  let reported = false;
  const tell = (words: readonly string[]) =>
    notify(words).catch((error: unknown) => {
      if (!reported) report(error as Error);
      reported = true;
    });
  return {
    async ready(status) {
      const line = async () => `STATUS=${oneLine(await within(STATUS_WITHIN, status()))}`;
      let last = await line();
      await tell(['READY=1', last]);
      const signOfLife = async () => {
        const now = await line();
        const words = [...(watchdog > 0 ? ['WATCHDOG=1'] : []), ...(now === last ? [] : [now])];
        last = now;
        if (words.length > 0) await tell(words);
      };
      let running = false;
      timer = setInterval(
        () => {
          if (running) return;
          running = true;
          void signOfLife().finally(() => (running = false));
        },
        watchdog > 0 ? Math.min(watchdog / 3, STATUS_EVERY) : STATUS_EVERY,
      );
      timer.unref();
    },
    async stopping() {
      clearInterval(timer);
      await tell(['STOPPING=1', 'STATUS=Stopping']);
    },
  };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 500);

/** The text, or its fault, within `ms`. */
async function within(ms: number, text: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('The station answers slowly.'), ms);
  });
  try {
    return await Promise.race([text, late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

function systemdNotify(socket: string, environment: NodeJS.ProcessEnv): Notify {
  const own = { PATH: environment['PATH'], NOTIFY_SOCKET: socket };
  return (words) =>
    new Promise((resolve, reject) => {
      const child = spawn('systemd-notify', words, { env: own, stdio: 'ignore', timeout: STATUS_EVERY });
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0
          ? resolve()
          : reject(new Error(`systemd-notify ended with ${code}: systemd hears nothing of the station.`)),
      );
    });
}
