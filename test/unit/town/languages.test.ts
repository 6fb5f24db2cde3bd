import { expect, test } from 'vitest';
import { TOWN_LANGUAGES } from '../../town/languages/languages.ts';
import { askTown, type AskedForm } from '../../town/questions/ask-town.ts';
import { SEED } from '../../support/chance.ts';

/** Questions of each form in each language, and the size of the towns that they are about. */
const COUNT = 60;
const NODES = 7000;
/** Shares of right first answers, and of questions that another house answers. */
const RIGHT = 0.97;
const RIGHT_CORNERS = 0.98;
const OTHER = 0.005;
/** Of so few questions chance takes a few more. `npm run eval:places -- town` asks enough for each form. */
const RIGHT_OF_FEW = 0.9;

const ofLanguages = new Map<string, AskedForm[]>();

const share = (forms: readonly AskedForm[], count: (form: AskedForm) => number): number =>
  forms.reduce((sum, form) => sum + count(form), 0) / forms.reduce((sum, { asked }) => sum + asked, 0);
const missedIn = (forms: readonly AskedForm[]): string => forms.flatMap(({ missed }) => missed).join('; ');

test.each(TOWN_LANGUAGES.map((language) => ({ language, code: language.code })))(
  `addresses of a drawn town are found as people write them in $code, seed ${SEED}`,
  async ({ language, code }) => {
    const forms = await askTown(language, { seed: SEED, nodes: NODES, count: COUNT });
    ofLanguages.set(code, forms);
    for (const { form, asked, first, missed } of forms) {
      expect(asked, form).toBe(COUNT);
      expect(first / asked, `${form}: ${missed.join('; ')}`).toBeGreaterThanOrEqual(RIGHT_OF_FEW);
    }
    expect(
      share(forms, ({ first }) => first),
      missedIn(forms),
    ).toBeGreaterThanOrEqual(RIGHT);
  },
);

test(`each form of address is found in all languages together, and hardly ever another house, seed ${SEED}`, () => {
  expect(ofLanguages.size).toBe(TOWN_LANGUAGES.length);
  const all = [...ofLanguages.values()].flat();
  for (const [form, forms] of Map.groupBy(all, ({ form }) => form))
    expect(
      share(forms, ({ first }) => first),
      `${form}: ${missedIn(forms)}`,
    ).toBeGreaterThanOrEqual(form === 'corner' ? RIGHT_CORNERS : RIGHT);
  expect(
    share(all, ({ other }) => other),
    missedIn(all),
  ).toBeLessThan(OTHER);
});
