import { readNewerVersion } from '../platform/newer-version.ts';
import { VERSION } from '../platform/program.ts';
import type { Foundation } from './foundation.ts';

/** ms between two looks. */
const EVERY = 24 * 3_600_000;

/**
 * Looks once a day whether a newer version exists, only where `updates.address` is set, and says so in the log. Nothing
 * is fetched but the description and its signature, and nothing is installed.
 */
export function openUpdates({ config, log }: Pick<Foundation, 'config' | 'log'>) {
  const { 'updates.address': address, 'updates.key': key } = config;
  const logger = log.logger('updates');
  let newer: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failure = '';
  const look = async (): Promise<void> => {
    if (address === null || key === null) return;
    try {
      const found = (await readNewerVersion({ address, key, version: VERSION })) ?? null;
      if (found !== null && found !== newer) logger.info(`A newer version is available: ${found}. This is ${VERSION}.`);
      newer = found;
      failure = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure) logger.warn(`Could not check for a newer version. ${message}`);
      failure = message;
    }
  };
  if (address !== null && key === null)
    logger.warn('updates.address is set without updates.key: without a key no update can be verified.');
  else if (address !== null) {
    void look();
    timer = setInterval(() => void look(), EVERY);
    timer.unref();
  }
  return { newerVersion: () => newer, close: () => clearInterval(timer) };
}
