import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { workerData } from 'node:worker_threads';
import { makeProfile } from '../../territory/roads/index.ts';

/** Builds the roads of another profile and ends. */
const { directory, profile } = workerData as { directory: string; profile: string };
// Queries come first where cores are few. The priority is per thread on Linux only.
if (platform === 'linux') setPriority(10);
await makeProfile(directory, profile);
