import { TOWN_LANGUAGES, languageOf } from '../../town/languages/languages.ts';
import { askTown } from '../../town/questions/ask-town.ts';
import { quantile } from './quantile.ts';

const NODES = 24_000;
/** Questions of each form. */
const COUNT = 400;
const MISSES = 8;

/** Prints the shares of right first answers about a drawn town of each language, or of those named. */
export async function evaluateTowns(codes: readonly string[], seed: number, showsMisses: boolean): Promise<void> {
  const languages = codes.length > 0 ? codes.map((code) => languageOf(code)!) : TOWN_LANGUAGES;
  for (const language of languages) {
    const forms = await askTown(language, { seed, nodes: NODES, count: COUNT });
    console.log(`\ndrawn town in ${language.code}`);
    console.log(`${'form'.padEnd(34)} first  other house first  asked  p50 ms  p99 ms`);
    for (const { form, asked, first, other, times, missed } of forms) {
      const share = (count: number): string => ((100 * count) / Math.max(1, asked)).toFixed(1);
      console.log(
        `${form.padEnd(34)} ${share(first).padStart(5)} ${share(other).padStart(18)} ${String(asked).padStart(6)} ${quantile(times, 0.5)} ${quantile(times, 0.99)}`,
      );
      if (showsMisses) for (const text of missed.slice(0, MISSES)) console.log(`    ${text}`);
    }
    const searches = forms.filter(({ form }) => form !== 'on a named road');
    const all = searches.reduce((sum, { asked }) => sum + asked, 0);
    const others = searches.reduce((sum, { other }) => sum + other, 0);
    const times = searches.flatMap((form) => form.times);
    console.log(
      `${'all questions'.padEnd(34)} ${''.padStart(5)} ${((100 * others) / all).toFixed(2).padStart(18)} ${String(all).padStart(6)} ${quantile(times, 0.5)} ${quantile(times, 0.99)}`,
    );
  }
}
