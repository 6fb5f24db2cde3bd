import { TONES, type Tone } from '../ui/design/tones.ts';

/** The colours of the current palette, for canvases. */
export interface Ink {
  readonly tones: Readonly<Record<Tone, string>>;
  readonly panel: string;
  readonly text: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly route: string;
  readonly routeCase: string;
  /** Of the bands of speed, the slowest first. */
  readonly speeds: readonly string[];
}

export function readInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    tones: Object.fromEntries(TONES.map((tone) => [tone, token(tone)])) as Record<Tone, string>,
    panel: token('panel'),
    text: token('text'),
    accent: token('accent'),
    onAccent: token('on-accent'),
    route: token('route'),
    routeCase: token('route-case'),
    speeds: [0, 1, 2, 3, 4, 5].map((band) => token(`speed-${band}`)),
  };
}
