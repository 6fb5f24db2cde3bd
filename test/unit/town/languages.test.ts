import { expect, test } from 'vitest';
import { TOWN_LANGUAGES } from '../../town/languages/languages.ts';
import { askTown } from '../../town/questions/ask-town.ts';
import { SEED } from '../../support/chance.ts';

/** Questions of each form, and the size of the towns that they are about. */
const COUNT = 60;
const NODES = 7000;
/** Shares of right first answers, and of questions that another house answers. */
const RIGHT = 0.97;
const RIGHT_CORNERS = 0.98;
const OTHER = 0.005;

test.each(TOWN_LANGUAGES.map((language) => ({ language, code: language.code })))(
  `addresses of a drawn town are found as people write them in $code, seed ${SEED}`,
  async ({ language }) => {
    const forms = await askTown(language, { seed: SEED, nodes: NODES, count: COUNT });
    for (const { form, asked, first, missed } of forms) {
      expect(asked, form).toBe(COUNT);
      const right = form === 'corner' ? RIGHT_CORNERS : RIGHT;
      expect(first / asked, `${form}: ${missed.join('; ')}`).toBeGreaterThanOrEqual(right);
    }
    const all = forms.reduce((sum, { asked }) => sum + asked, 0);
    const others = forms.reduce((sum, { other }) => sum + other, 0);
    const missed = forms.flatMap((form) => form.missed).join('; ');
    expect(others / all, missed).toBeLessThan(OTHER);
  },
);
