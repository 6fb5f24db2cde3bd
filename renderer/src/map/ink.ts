import { TONES, type Tone } from '../ui/design/tones.ts';

/** The colours of the current palette, for canvases. */
export interface Ink {
  readonly tones: Readonly<Record<Tone, string>>;
  readonly panel: string;
  readonly text: string;
  readonly dim: string;
  readonly accent: string;
  readonly onAccent: string;
  /** Of the glyph inside a filled symbol. */
  readonly onMark: string;
  readonly chosenEdge: string;
  readonly p1: string;
  readonly p1On: string;
  readonly p2: string;
  readonly p2On: string;
  readonly p3: string;
  readonly p4: string;
  readonly route: string;
  readonly routeCase: string;
  /** Of the bands of speed, the slowest first. */
  readonly speeds: readonly string[];
  /** Of how much happened, the least first. */
  readonly heat: readonly string[];
}

export function readInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    tones: Object.fromEntries(TONES.map((tone) => [tone, token(tone)])) as Record<Tone, string>,
    panel: token('panel'),
    text: token('text'),
    dim: token('dim'),
    accent: token('accent'),
    onAccent: token('on-accent'),
    onMark: token('on-mark'),
    chosenEdge: token('chosen-edge'),
    p1: token('p1'),
    p1On: token('p1-on'),
    p2: token('p2'),
    p2On: token('p2-on'),
    p3: token('p3'),
    p4: token('p4'),
    route: token('route'),
    routeCase: token('route-case'),
    speeds: [0, 1, 2, 3, 4, 5].map((band) => token(`speed-${band}`)),
    heat: [0, 1, 2, 3, 4].map((step) => token(`heat-${step}`)),
  };
}
