/**
 * A process that imports, to be killed or measured: `node import-process.ts FILE ROOT`. Without ROOT it only
 * reads the file. Prints what it took: memory at most, MB; work of all its threads, seconds.
 */
import { openTerritory, readExtract } from '../../../../server/geo/territory/index.ts';

const [file, root] = process.argv.slice(2);
if (root === undefined) {
  await readExtract(file!);
} else {
  const territory = await openTerritory(root);
  await territory.import({ files: [file!] });
  await territory.close();
}
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
console.log(JSON.stringify({ memory: Math.round(maxRSS / 1024), work: (userCPUTime + systemCPUTime) / 1e6 }));
