/** The usual thread on a disk that fails at the second sync, and at the third says that all is well. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const sync = fs.fdatasyncSync;
let syncs = 0;
fs.fdatasyncSync = (file) => {
  if (++syncs === 2) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  sync(file);
};
syncBuiltinESMExports();
await import('../../../../../server/tracking/telemetry/writing/writer.worker.ts');
