import type { Page } from 'playwright';

/** What an operator does all day, from a board at rest to the answer on the screen, without a mouse. */
export const OPERATOR_TASKS: readonly OperatorTask[] = [
  {
    name: 'call to units sent',
    async run(operator) {
      await operator.press('n', { selector: 'form.form input:focus' });
      await operator.type('honey av');
      await operator.press('Tab', { selector: '.ranked [data-car]' });
      await operator.type('tree down');
      await operator.press('Control+Shift+Enter', { selector: '.notice', text: /is assigned to task \d+, tree down/ });
    },
  },
  {
    name: 'status of a unit',
    async run(operator) {
      await operator.press('/', COMMAND_LINE);
      await operator.type('s m2 6');
      await operator.press('Enter', { selector: '.notice', text: /Medic 2: 6 Out of service/ });
    },
  },
  {
    name: 'message to a crew',
    async run(operator) {
      await operator.press('/', COMMAND_LINE);
      await operator.type('m m2 call base');
      await operator.press('Enter', { selector: '.notice', text: /The message to Medic 2 is sent/ });
    },
  },
  {
    name: 'closure of a road',
    async run(operator) {
      await operator.press('/', COMMAND_LINE);
      await operator.type('x honey avenue');
      await operator.press('Enter', mapAtRest('main.routes form.form:not([aria-busy=true])'));
      await operator.press('Space', { selector: '.draw-vertex' });
      await operator.press('ArrowRight', mapAtRest('main.routes'));
      await operator.press('Space', { selector: '.draw-vertex ~ .draw-vertex' });
      await operator.press('Control+Enter', { selector: '.notice', text: /Closure in force: honey avenue/ });
    },
  },
  {
    name: 'find a vehicle',
    async run(operator) {
      await operator.press('/', COMMAND_LINE);
      await operator.type('v m2');
      await operator.press('Enter', { ...mapAtRest('.row.chosen[data-unit]'), text: /Medic 2/ });
    },
  },
];

/** As it is between two tasks: nothing is open, and nothing of the last one is said any more. */
export async function boardAtRest(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/'));
  await page.locator('main.board').waitFor();
  for (let open = 0; open < 3; open++) await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.card, form.form, .notice'));
}

const COMMAND_LINE: Shown = { selector: '.command input:focus' };
/** Nothing glides, and each tile is drawn. */
const mapAtRest = (selector: string): Shown => ({
  selector: `body:has(.leaflet-tile):not(:has(.leaflet-pan-anim, .leaflet-zoom-anim, .leaflet-tile:not(.leaflet-tile-loaded))) ${selector}`,
});

export interface OperatorTask {
  readonly name: string;
  readonly run: (operator: Operator) => Promise<void>;
}

/** An element that is on the screen, with a text if one is named. */
interface Shown {
  readonly selector: string;
  readonly text?: RegExp;
}

/** Presses keys, and counts them: every key of a chord, as the keystroke-level model counts Shift and Ctrl. */
export class Operator {
  keys = 0;
  /** ms from each key until the frame with its answer is drawn, summed. */
  waited = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async type(text: string): Promise<void> {
    for (const letter of text) await this.press(letter === ' ' ? 'Space' : letter);
  }

  async press(chord: string, shown: Shown = { selector: 'body' }): Promise<void> {
    await this.page.evaluate(listen, { selector: shown.selector, pattern: shown.text?.source ?? '' });
    await this.page.keyboard.press(chord);
    const took = this.page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
    this.waited += await took.catch((error: unknown) => {
      throw new Error(`${chord} shows no ${shown.selector} ${shown.text ?? ''}`, { cause: error });
    });
    this.keys += chord.split('+').length;
  }
}

/** In the page. Modifiers of a chord are keys of their own there: the last one counts. */
function listen({ selector, pattern }: { selector: string; pattern: string }): void {
  const isShown = () =>
    [...document.querySelectorAll<HTMLElement>(selector)].some(
      (element) => element.checkVisibility() && (!pattern || new RegExp(pattern).test(element.innerText)),
    );
  (globalThis as unknown as { took: Promise<number> }).took = new Promise((resolve, reject) => {
    const onKey = ({ key, timeStamp }: KeyboardEvent) => {
      if (['Control', 'Shift', 'Alt', 'Meta'].includes(key)) return;
      removeEventListener('keydown', onKey, true);
      const look = () =>
        requestAnimationFrame(() => {
          if (performance.now() - timeStamp > 20_000) reject(new Error('Nothing in 20 s.'));
          else if (isShown()) setTimeout(() => resolve(performance.now() - timeStamp));
          else look();
        });
      look();
    };
    addEventListener('keydown', onKey, true);
  });
}
