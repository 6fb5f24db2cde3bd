import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { workerData } from 'node:worker_threads';
import { makeProfile } from '../../territory/roads/index.ts';

/** A thread that makes the roads of one more profile in a territory's directory, and ends. */
const { directory, profile } = workerData as { directory: string; profile: string };
// Questions go first where cores are few. On Linux alone this is the priority of the thread.
if (platform === 'linux') setPriority(10);
await makeProfile(directory, profile);
