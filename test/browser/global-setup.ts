import type { TestProject } from 'vitest/node';
import { WORKERS } from '../workers.ts';
import { launchChromiumServer } from './chromium.ts';

/**
 * Launches one Chromium for each worker. Two files that run at once share no Chromium: only one of its windows
 * is in front.
 */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const servers = await Promise.all(Array.from({ length: WORKERS }, launchChromiumServer));
  project.provide(
    'chromium',
    servers.map((server) => server.wsEndpoint()),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
}
