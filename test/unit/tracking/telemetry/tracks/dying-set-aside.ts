/** Sets damaged tracks aside, and dies right after so many files were moved. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [directory, now, moves] = process.argv.slice(2);
const move = fs.renameSync;
let moved = 0;
fs.renameSync = (from, to) => {
  move(from, to);
  if (++moved === Number(moves)) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
const { setDamagedTracksAside } = await import('../../../../../server/tracking/telemetry/tracks/damaged-tracks.ts');
setDamagedTracksAside(directory!, Number(now));
