import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chanceFrom } from '../../../server/demo/chance.ts';
import { PlacesFile } from '../../../server/geo/geocoding/search/places-file.ts';
import { reverse } from '../../../server/geo/geocoding/search/reverse.ts';
import { PlaceSearch } from '../../../server/geo/geocoding/search/search.ts';
import { beginBudget } from '../../../server/geo/geocoding/search/work-budget.ts';
import type { Hit } from '../../../server/geo/geocoding/types.ts';
import { makePlaces } from '../../../server/geo/territory/places/index.ts';
import { words } from '../../../shared/text/fold.ts';
import { isOf, middlesOfRoads } from '../../bench/places/evaluate-reverse.ts';
import { drawTown } from '../draw-town.ts';
import type { TownLanguage } from '../languages/town-language.ts';
import { questionsAbout, type QuestionForm, type TownQuestion } from './town-questions.ts';

export interface AskedForm {
  readonly form: QuestionForm | 'on a named road';
  readonly asked: number;
  /** Right first. */
  readonly first: number;
  /** Another house first. */
  readonly other: number;
  /** ms */
  readonly times: readonly number[];
  readonly missed: readonly string[];
}

/** Metres in degrees of latitude: an entrance and its building are one house, and a crossing is wide. */
const SAME_PLACE = 60 / 111_195;
const LIMIT = 10;
const BUDGET = 250;

/** Draws a town of the language and asks so many questions of each form about it. */
export async function askTown(
  language: TownLanguage,
  { seed, nodes, count }: { seed: number; nodes: number; count: number },
): Promise<AskedForm[]> {
  const extract = drawTown({ seed, nodes, language });
  const directory = mkdtempSync(join(tmpdir(), 'waypost-towns-'));
  try {
    await makePlaces(extract, directory, () => {});
    const places = PlacesFile.open(directory);
    const search = new PlaceSearch(places);
    const chance = chanceFrom(seed).fork('questions');
    const forms = [...questionsAbout(extract, language, count, chance)].map(([form, questions]) =>
      tally(form, questions, ({ query, answers }) => {
        const hits = search.run({ query, limit: LIMIT }, beginBudget(BUDGET));
        return { hits, isRight: hits[0] !== undefined && answers.some((answer) => isAt(hits[0]!, answer)) };
      }),
    );
    const roads = middlesOfRoads(extract);
    const points = Array.from({ length: count }, () => chance.pick(roads)).map((road) => ({
      ...road,
      query: `${(road.lat / 1e7).toFixed(5)}, ${(road.lon / 1e7).toFixed(5)} ${road.street}`,
    }));
    const onRoads = tally('on a named road', points, ({ lon, lat, street }) => {
      const hit = reverse(places, { lon: lon / 1e7, lat: lat / 1e7 });
      return { hits: hit ? [hit] : [], isRight: hit !== undefined && isOf(hit, street) };
    });
    places.close();
    return [...forms, onRoads];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function tally<Question extends { query: string }>(
  form: AskedForm['form'],
  questions: readonly Question[],
  ask: (question: Question) => { hits: readonly Hit[]; isRight: boolean },
): AskedForm {
  const times: number[] = [];
  const missed: string[] = [];
  let [first, other] = [0, 0];
  for (const question of questions) {
    const began = performance.now();
    const { hits, isRight } = ask(question);
    times.push(performance.now() - began);
    if (isRight) {
      first++;
      continue;
    }
    if (hits[0]?.kind === 'address') other++;
    const shown = hits.slice(0, 3).map(({ label }) => label);
    missed.push(`${question.query.replaceAll('\n', ' ⏎ ')} → ${shown.join(' | ')}`);
  }
  return { form, asked: questions.length, first, other, times, missed };
}

function isAt(hit: Hit, { lon, lat, number }: TownQuestion['answers'][number]): boolean {
  return (
    hit.kind === (number === undefined ? 'corner' : 'address') &&
    Math.abs(hit.lat - lat) < SAME_PLACE &&
    Math.abs(hit.lon - lon) < SAME_PLACE / Math.cos((lat * Math.PI) / 180) &&
    (number === undefined || words(hit.parts?.number ?? '').join('') === words(number).join(''))
  );
}
