/**
 * Writes `kind-words.json` from the presets and translations of `@openstreetmap/id-tagging-schema` (ISC):
 *
 *     npm pack @openstreetmap/id-tagging-schema && tar xzf *.tgz
 *     node server/geo/geocoding/query/make-kind-words.mjs package
 *
 * The package is 71 MB and changes slowly, so that it is no dependency; the table is kept instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { words } from '../../../../shared/text/fold.ts';
import { SORT_KEYS, englishWordsOf, isSortWord, sortOf } from '../../territory/places/sorts.ts';

const [folder = 'package'] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(folder, 'dist', name), 'utf8'));
const LANGUAGES = ['en', 'ru', 'uk', 'de', 'fr', 'es', 'ca', 'it', 'pt', 'pl', 'nl'];
/** Words of a kind and language besides its name. */
const TERMS = 2;
const SHORTEST = 3;
const MOST_WORDS = 4;

const presets = read('presets.min.json');
const translations = LANGUAGES.map((language) => read(`translations/${language}.min.json`)[language].presets.presets);
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Folded phrases of each kind. */
const kinds = new Map();
for (const [id, { tags, searchable }] of Object.entries(presets)) {
  const pairs = Object.entries(tags);
  const [key, value] = pairs[0] ?? [];
  if (pairs.length !== 1 || value === '*' || searchable === false || !SORT_KEYS.includes(key)) continue;
  const sort = sortOf(tags)?.name;
  if (sort === undefined) continue;
  const english = englishWordsOf(sort).join(' ');
  const phrases = kinds.get(sort) ?? new Set();
  kinds.set(sort, phrases);
  for (const texts of translations) {
    const { name, terms = [] } = texts[id] ?? {};
    const list = Array.isArray(terms) ? terms : terms.split(',');
    for (const text of [name, ...list.slice(0, TERMS)]) {
      const phrase = words(text ?? '');
      const joined = phrase.join(' ');
      // A phrase that the kinds of the map have already needs no second entry.
      if (phrase.length > MOST_WORDS || joined === english || (phrase.length === 1 && isSortWord(joined))) continue;
      if (joined.length >= SHORTEST || joined === 'wc') phrases.add(joined);
    }
  }
}
const lines = [...kinds]
  .filter(([, phrases]) => phrases.size > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([sort, phrases]) => `    ${JSON.stringify(sort)}: ${JSON.stringify([...phrases].sort().join('|'))}`);
const license = readFileSync(join(folder, 'LICENSE.md'), 'utf8').replace(/\s+/g, ' ').trim();
const notice = `From @openstreetmap/id-tagging-schema ${version}. ${license}`;
writeFileSync(
  new URL('kind-words.json', import.meta.url),
  `{\n  "notice": ${JSON.stringify(notice)},\n  "kinds": {\n${lines.join(',\n')}\n  }\n}\n`,
);
