import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writePbf } from './pbf-writer.ts';
import { drawTown } from './draw-town.ts';
import { languageOf } from './languages/languages.ts';

/**
 * `node test/town/make-town.ts --seed 7 --nodes 20000 --out FILE`: draws a town and writes it as .osm.pbf;
 * with `--language de` in one of the languages of `languages/`.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    nodes: { type: 'string', default: '20000' },
    language: { type: 'string' },
    out: { type: 'string' },
  },
});
if (values.out === undefined) {
  console.error('Say where to write to: --out FILE.osm.pbf');
  process.exit(2);
}
const town = drawTown({
  seed: Number(values.seed),
  nodes: Number(values.nodes),
  language: languageOf(values.language),
});
await writePbf(town, values.out);
console.log(
  `${values.out}: ${town.nodes.count} nodes, ${town.ways.count} ways, ${town.relations.length} relations, ${statSync(values.out).size} bytes`,
);
