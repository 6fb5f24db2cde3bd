import { basename } from 'node:path';

/** Characters */
const LONGEST_NAME = 100;

/** `/maps/new-malta-latest.osm.pbf` is `New malta`; with `/maps/sicily.osm` it is `New malta, Sicily`. */
export function territoryNameOf(...paths: readonly string[]): string {
  const extracts = paths.filter((path) => !/\.osc(\.(gz|bz2))?$/i.test(path));
  const names = extracts.map((path) => {
    const bare = basename(path)
      .replace(/(\.osm)?(\.(pbf|osm|xml|gz|bz2))*$/i, '')
      .replace(/[-_]latest$/i, '')
      .replace(/[-_]+/g, ' ')
      .trim();
    return bare === '' ? '' : bare[0]!.toUpperCase() + bare.slice(1);
  });
  return (
    names
      .filter((name) => name !== '')
      .join(', ')
      .slice(0, LONGEST_NAME) || 'Territory'
  );
}
