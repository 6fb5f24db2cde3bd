/** Answers of `/speeds/…`, and how they are shown. */
export interface SpeedsCoverage {
  readonly metres: number;
  readonly knownShare: number;
  readonly hours: readonly { readonly hour: number; readonly share: number; readonly passages: number }[];
}

export interface SpeedsEffect {
  readonly drives: number;
  readonly judged: number;
  readonly meanTime: number;
  readonly usualError: number;
  readonly learnedError: number;
}

export interface LearnedRoad {
  readonly id: number;
  readonly properties: {
    readonly name: string;
    readonly speed: number;
    readonly usualSpeed: number;
    readonly passages: number;
    readonly level: string;
  };
  readonly geometry: { readonly coordinates: readonly (readonly [lon: number, lat: number])[] };
}

export interface SpeedsRoads {
  readonly hour: number;
  readonly complete: boolean;
  readonly features: readonly LearnedRoad[];
}

export const PACES = ['much-slower', 'slower', 'same', 'faster'] as const;
export type Pace = (typeof PACES)[number];

/** Driven speed compared with the map's; within a seventh it counts as the same. */
export function paceOf({ speed, usualSpeed }: LearnedRoad['properties']): Pace {
  const ratio = speed / usualSpeed;
  if (ratio < 0.5) return 'much-slower';
  if (ratio < 0.86) return 'slower';
  return ratio <= 1.16 ? 'same' : 'faster';
}

/**
 * The verdict of the last weeks' drives about learned speeds. A difference below a twentieth says nothing.
 * `share`: of the error that they save.
 */
export function verdictOf({ usualError, learnedError }: SpeedsEffect): {
  readonly word: 'better' | 'worse' | 'even';
  readonly share: number;
} {
  const share = usualError > 0 ? (usualError - learnedError) / usualError : 0;
  return { word: Math.abs(share) < 0.05 ? 'even' : share > 0 ? 'better' : 'worse', share };
}

/**
 * Shade of a cell of the week, 0 (nothing known) to 4; by the square root, since few roads carry most of the
 * driving.
 */
export function shadeOf(share: number, most: number): number {
  return share <= 0 || most <= 0 ? 0 : Math.min(4, Math.max(1, Math.ceil(Math.sqrt(share / most) * 4)));
}

/** The hour that an arrow key leads to in a grid of seven days; undefined: no key of the grid. */
export function hourByKey(hour: number, key: string): number | undefined {
  const [day, of] = [Math.floor(hour / 24), hour % 24];
  switch (key) {
    case 'ArrowLeft':
      return day * 24 + Math.max(0, of - 1);
    case 'ArrowRight':
      return day * 24 + Math.min(23, of + 1);
    case 'ArrowUp':
      return Math.max(0, day - 1) * 24 + of;
    case 'ArrowDown':
      return Math.min(6, day + 1) * 24 + of;
    case 'Home':
      return day * 24;
    case 'End':
      return day * 24 + 23;
    default:
      return undefined;
  }
}

/** Day of an hour of the week, and its hour: `Mon`, `08:00`. */
export function formatHour(hour: number, language: string): { readonly day: string; readonly hour: string } {
  // The first of January 2024 was a Monday.
  const day = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + Math.floor(hour / 24)),
  );
  return { day, hour: `${String(hour % 24).padStart(2, '0')}:00` };
}
