import type { Page } from 'playwright';
import { contrast, type Rgb } from '../../support/contrast.ts';
import { atRest } from './console-harness.ts';

/** A text as it is seen on the page. `ground` is what lies behind it, with all that shines through. */
interface SeenText {
  readonly text: string;
  readonly front: Rgb;
  readonly ground: Rgb;
  /** 24 px, or 18.66 px and bold: WCAG 2.2 asks less of it. */
  readonly large: boolean;
}

/** What WCAG 2.2 (1.4.3) asks of text, and of large text. */
const LEAST = 4.5;
const MIN_LARGE = 3;

/**
 * Texts of which too little stands out, each once, and how many were measured. Texts of what is switched off
 * are left out, as WCAG does.
 */
export async function faintTexts(
  page: Page,
): Promise<{ readonly measured: number; readonly faint: readonly string[] }> {
  await atRest(page.locator('html')); // on its way from one palette to another a colour is neither
  const texts = await page.evaluate(seenTexts);
  const faint = texts.flatMap(({ text, front, ground, large }) => {
    const ratio = contrast(front, ground);
    return ratio < (large ? MIN_LARGE : LEAST)
      ? [`${ratio.toFixed(2)} to 1: "${text}", rgb(${front.join(' ')}) on rgb(${ground.join(' ')})`]
      : [];
  });
  return { measured: texts.length, faint: [...new Set(faint)] };
}

/**
 * Runs in the page, with nothing from outside. Colours are read from a canvas, since they are computed in
 * many notations.
 */
function seenTexts(): SeenText[] {
  type Rgba = readonly [number, number, number, number];
  const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  const known = new Map<string, Rgba>();
  const colourOf = (css: string): Rgba => {
    let colour = known.get(css);
    if (!colour) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = css;
      brush.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data as unknown as Rgba;
      known.set(css, (colour = [red, green, blue, alpha / 255]));
    }
    return colour;
  };
  const over = (front: Rgba, back: Rgb): Rgb =>
    [0, 1, 2].map((part) => Math.round(front[part]! * front[3] + back[part]! * (1 - front[3]))) as unknown as Rgb;

  /**
   * The ground of an element from the outside in: backgrounds lie on each other, and a see-through part lets
   * what is behind it shine through.
   */
  function groundOf(element: Element): { ground: Rgb; shown: number } {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) chain.unshift(at);
    let ground: Rgb = [255, 255, 255];
    let shown = 1;
    for (const at of chain) {
      const style = getComputedStyle(at);
      shown *= Number(style.opacity);
      const [red, green, blue, alpha] = colourOf(style.backgroundColor);
      ground = over([red, green, blue, alpha * shown], ground);
    }
    return { ground, shown };
  }

  function inSight(element: Element, box: DOMRect): boolean {
    if (
      box.width < 2 ||
      box.height < 2 ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    )
      return false;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    // What lies over it, as a sheet does, hides it; what takes no clicks is not found at all, and stands over
    // everything.
    return (
      top !== null &&
      (element.contains(top) || top.contains(element) || getComputedStyle(element).pointerEvents === 'none')
    );
  }

  const seen: SeenText[] = [];
  const add = (text: string, element: Element, box: DOMRect, style: CSSStyleDeclaration) => {
    if (!text || !inSight(element, box) || element.closest(':disabled, [aria-disabled=true], .unseen')) return;
    const { ground, shown } = groundOf(element);
    const [red, green, blue, alpha] = colourOf(element instanceof SVGElement ? style.fill : style.color);
    const size = parseFloat(style.fontSize);
    seen.push({
      text: text.slice(0, 60),
      front: over([red, green, blue, alpha * shown], ground),
      ground,
      large: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
    });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement!;
    range.selectNodeContents(node);
    if (!element.closest('script, style, option'))
      add(node.textContent!.trim(), element, range.getBoundingClientRect(), getComputedStyle(element));
  }
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    'input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=color]), textarea, select',
  )) {
    const [text, part] = field.value
      ? [field.value, undefined]
      : ['placeholder' in field ? field.placeholder : '', '::placeholder'];
    add(text, field, field.getBoundingClientRect(), getComputedStyle(field, part));
  }
  return seen;
}
