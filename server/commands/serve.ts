import { readConfig } from '../config.ts';
import { DEMO_LOGINS } from '../demo/index.ts';
import { startStation } from '../station.ts';
import { keepYoungGenerationSmall } from '../platform/young-generation.ts';

/**
 * `waypost serve`: runs until it is told to end. Standard output gets one line, when the station answers; all
 * else goes to standard error.
 */
export async function run(words: string[]): Promise<void> {
  const config = readConfig(words, process.env);
  const ending = ended();
  const tellPassword = (password: string) =>
    console.error(`The administrator is admin, the password ${password} (it is shown this once).`);
  const station = await startStation(config, { tellPassword });
  keepYoungGenerationSmall();
  if (station.demo)
    console.error(
      `This is the demo. Sign in as:\n${DEMO_LOGINS.map(({ login, password, what }) => `  ${login} / ${password}: ${what}`).join('\n')}`,
    );
  for (const warning of [station.openDemo, station.leftDemo]) if (warning) console.error(warning);
  if (station.http.secure) console.error(`Over TLS: ${station.http.secure.address}`);
  console.log(`Waypost is listening on ${station.http.main.address}`);
  await ending;
  await station.stop();
}

/**
 * ms within which a second signal is the same wish once more: the terminal tells us, and so does the program
 * that started us.
 */
const ONE_WISH = 3_000;

/** Resolves at the first SIGTERM or SIGINT. A later one means that somebody has no patience. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    let asked = Infinity;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (performance.now() > asked + ONE_WISH) process.exit(1);
        asked = Math.min(asked, performance.now());
        resolve();
      });
    }
  });
}
