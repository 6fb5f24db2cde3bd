/** A process that imports, to be killed or measured: `node import-process.ts FILE ROOT`. Prints the memory it took at most, kB. */
import { openTerritory } from '../../../server/territory/index.ts';

const [file, root] = process.argv.slice(2);
const territory = await openTerritory(root!);
await territory.import({ file: file! });
await territory.close();
console.log(process.resourceUsage().maxRSS);
