import { readConfig } from '../../config/index.ts';
import { DEMO_LOGINS } from '../../demo/index.ts';
import { startStation } from '../../station.ts';
import { completeRestore } from '../../store/index.ts';
import { serviceManager } from '../../platform/services/service-manager.ts';
import type { ServiceManager } from '../../platform/services/service-manager.ts';
import { healthAt } from '../health.ts';
import { keepHeapsTightWhenCalm } from '../../platform/heap-growth.ts';
import { keepYoungGenerationSmall } from '../../platform/young-generation.ts';

/**
 * `waypost serve`: runs until a signal. Standard output gets one line, when the station answers; everything
 * else goes to standard error.
 */
export async function run(words: string[], asService?: ServiceManager): Promise<void> {
  const asked = readConfig(words, process.env);
  const manager = asService ?? serviceManager(process.env, { report: (error) => console.error(error.message) });
  if (asked['serve.role'] === 'maps') return (await import('./serve-maps.ts')).serveMaps(asked, manager);
  /** Of the station that runs now: a restore starts another one. */
  let address = '';
  const ending = ended();
  let isFirst = true;
  const ready = async (at: string) => {
    address = at;
    if (isFirst) await manager.ready(() => healthAt(address));
    isFirst = false;
  };
  while ((await serve(words, ending, ready, () => manager.stopping())) === 'again')
    console.error('The station restarts.');
}

/** Runs a station until a signal, or until it asks to be started again. */
async function serve(
  words: string[],
  ending: Promise<void>,
  ready: (address: string) => Promise<void>,
  stopping: () => Promise<void>,
): Promise<'ended' | 'again'> {
  // A restored `station.json` holds from this start on.
  await completeRestore(readConfig(words, process.env).data);
  const config = readConfig(words, process.env);
  const again = Promise.withResolvers<'again'>();
  const tellPassword = (password: string) =>
    console.error(`The administrator is admin, the password ${password} (it is shown this once).`);
  const station = await startStation(config, { tellPassword, restart: () => again.resolve('again') });
  keepYoungGenerationSmall();
  keepHeapsTightWhenCalm();
  if (station.demo)
    console.error(
      `This is the demo. Sign in as:\n${DEMO_LOGINS.map(({ login, password, what }) => `  ${login} / ${password}: ${what}`).join('\n')}`,
    );
  for (const warning of [station.openDemo, station.leftDemo]) if (warning) console.error(warning);
  if (station.setUpRoute)
    console.error(`Set the station up in a browser here: ${station.address}/${station.setUpRoute}`);
  if (station.http.secure)
    console.error(`Over TLS: ${station.http.secure.address}\nCertificate, SHA-256: ${station.http.fingerprint}`);
  console.log(`Waypost is listening on ${station.http.main.address}`);
  // As other services do. In a terminal the signal says that the terminal closes.
  const reload = () => void station.http.reloadCertificate();
  if (!process.stdin.isTTY) process.on('SIGHUP', reload);
  await ready(station.address);
  const why = await Promise.race([ending.then(() => 'ended' as const), again.promise]);
  process.off('SIGHUP', reload);
  if (why === 'ended') await stopping();
  await station.stop();
  return why;
}

/**
 * ms within which a second signal counts as the same one: the terminal sends it, and so does the program that
 * started this one.
 */
const SAME_SIGNAL = 3_000;

/** Resolves at the first SIGTERM or SIGINT. A later one ends the process at once. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    let asked = Infinity;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (performance.now() > asked + SAME_SIGNAL) process.exit(1);
        asked = Math.min(asked, performance.now());
        resolve();
      });
    }
  });
}
