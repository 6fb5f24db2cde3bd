import { statSync } from 'node:fs';
import { readExtract } from '../../../server/geo/territory/index.ts';
import type { OsmExtract, Tags } from '../../../server/geo/territory/extract/extract.ts';
import type { PackedExtract } from '../../../server/geo/territory/extract/packed-extract.ts';
import { writePbfOf } from '../../town/pbf-writer.ts';

/** Degrees from one copy to the next: the copies of a town lie side by side. */
const APART = 2;
/** More than any id in use; the sum stays below 2^51. */
const IDS = 2 ** 40;

/**
 * Writes an extract of about so many megabytes: copies of real ones side by side, with ids and places of their
 * own, and with words of their own, since a larger country has more names.
 */
export async function writeSideBySide(files: readonly string[], megabytes: number, path: string): Promise<number> {
  const originals = await Promise.all(files.map((file) => readExtract(file)));
  const sizes = files.map((file) => statSync(file).size);
  const copies: OsmExtract[] = [];
  for (let bytes = 0, n = 0; bytes < megabytes * 1e6; n++) {
    copies.push(copyOf(originals[n % files.length]!, n, Math.floor(n / files.length)));
    bytes += sizes[n % files.length]!;
  }
  await writePbfOf(copies, path, { bounds: [-180, -85, 180, 85], level: 6 });
  return statSync(path).size;
}

function copyOf({ nodes, ways, relations, bounds, dataTime }: PackedExtract, n: number, round: number): OsmExtract {
  const shift = n * IDS;
  const tagsOf = (tags: Tags) => (round === 0 ? tags : withOtherWords(tags, round));
  return {
    bounds,
    boxes: [bounds],
    dataTime,
    nodes: {
      ...nodes,
      id: nodes.id.map((id) => id + shift),
      lon: nodes.lon.map((lon) => eastOf(lon, round * APART * 1e7)),
      tags: (i) => {
        const tags = nodes.tags(i);
        return tags && tagsOf(tags);
      },
    },
    ways: { ...ways, id: ways.id.map((id) => id + shift), tags: (w) => tagsOf(ways.tags(w)) },
    relations: relations.map(({ id, tags, members }) => ({
      id: id + shift,
      tags: tagsOf(tags),
      members: members.map((member) => ({ ...member, id: member.id + shift })),
    })),
  };
}

function eastOf(lon: number, by: number): number {
  const sum = lon + by;
  return sum > 1_800_000_000 ? sum - 3_600_000_000 : sum;
}

const VOWELS = 'aeiou';
const CONSONANTS = 'bcdfglmnprstv';

/** Other words of the same length and look, the same in all names of one copy. */
function withOtherWords(tags: Tags, round: number): Tags {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [
      key,
      /^(name|addr:street|addr:city|addr:place)/.test(key) ? otherWords(value, round) : value,
    ]),
  );
}

function otherWords(text: string, round: number): string {
  return text.replace(/[a-z]{4,}/g, (word) => [...word].map((letter) => otherLetter(letter, round)).join(''));
}

function otherLetter(letter: string, round: number): string {
  const letters = VOWELS.includes(letter) ? VOWELS : CONSONANTS.includes(letter) ? CONSONANTS : undefined;
  return letters ? letters[(letters.indexOf(letter) + round) % letters.length]! : letter;
}
