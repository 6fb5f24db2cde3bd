import { enableIdleCollection } from '../platform/idle-collection.ts';
import { holdYoungGeneration } from '../platform/young-generation.ts';

interface CliCommand {
  run(words: string[]): Promise<void>;
}

/** The commands of `waypost`. Each is a file that is loaded when it is needed. */
export const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  'serve': () => {
    holdYoungGeneration();
    enableIdleCollection();
    return import('./serve/serve.ts');
  },
  'service': () => {
    // `service run` is a station, too.
    holdYoungGeneration();
    enableIdleCollection();
    return import('./serve/service.ts');
  },
  'gateway': () => import('./gateway.ts'),
  'worker': () => import('./worker.ts'),
  'import': () => import('./import.ts'),
  'import-records': () => import('./import-records.ts'),
  'user': () => import('./user.ts'),
  'backup': () => import('./backup.ts'),
  'restore': () => import('./restore.ts'),
  'check': () => import('./check.ts'),
  'salvage': () => import('./salvage.ts'),
  'link': () => import('./link.ts'),
  'audit': () => import('./audit.ts'),
  'promote': () => import('./promote.ts'),
  'territory': () => import('./territory.ts'),
  'simulate': () => import('./simulate.ts'),
  'region': () => import('./region.ts'),
  'health': () => import('./health.ts'),
};

/** First words that print something and end. */
export const HELP_WORDS: ReadonlySet<string> = new Set(['help', '--help', '-h']);
export const VERSION_WORDS: ReadonlySet<string> = new Set(['version', '--version']);
