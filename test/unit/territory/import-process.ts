/** A process that imports, to be killed: `node import-process.ts FILE ROOT`. */
import { openTerritory } from '../../../server/territory/index.ts';

const [file, root] = process.argv.slice(2);
const territory = await openTerritory(root!);
await territory.import({ file: file! });
await territory.close();
