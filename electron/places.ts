import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Pixels of all displays together, as the operating system counts them. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Place of a window, and the page that it showed. */
export interface WindowPlace extends Rectangle {
  route: string;
  maximized: boolean;
  fullScreen: boolean;
  /** A layout of the board opened it, and may move and close it. */
  isPanel?: boolean;
}

/** Pixels of a window that must lie on a display in both directions, so that it can be seen and moved. */
const VISIBLE = 100;
/** The smallest window size in pixels, if the display has room for it. */
export const SMALLEST = { width: 640, height: 480 };

/**
 * Fits a stored place to the present displays: unmoved when at least `VISIBLE` of it shows, else centred on the
 * nearest display. Never larger than that display, nor smaller than `SMALLEST` where the display allows it.
 */
export function fitPlace<T extends Rectangle>(place: T, workAreas: readonly Rectangle[]): T {
  const nearest = [...workAreas].sort(
    (a, b) => overlap(place, b) - overlap(place, a) || distance(place, a) - distance(place, b),
  )[0];
  if (!nearest) return place;
  const width = clamp(place.width, Math.min(SMALLEST.width, nearest.width), nearest.width);
  const height = clamp(place.height, Math.min(SMALLEST.height, nearest.height), nearest.height);
  const seen = workAreas.some(
    (area) =>
      visible(place.x, width, area.x, area.width) >= VISIBLE &&
      visible(place.y, height, area.y, area.height) >= VISIBLE,
  );
  if (seen) return { ...place, width, height };
  return {
    ...place,
    width,
    height,
    x: Math.round(nearest.x + (nearest.width - width) / 2),
    y: Math.round(nearest.y + (nearest.height - height) / 2),
  };
}

function visible(start: number, length: number, areaStart: number, areaLength: number): number {
  return Math.min(start + length, areaStart + areaLength) - Math.max(start, areaStart);
}

function overlap(a: Rectangle, b: Rectangle): number {
  return Math.max(0, visible(a.x, a.width, b.x, b.width)) * Math.max(0, visible(a.y, a.height, b.y, b.height));
}

function distance(a: Rectangle, b: Rectangle): number {
  return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Stores the places of all windows in one file. A missing or damaged file counts as empty. */
export class Places {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  load(): WindowPlace[] {
    try {
      const found: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      return Array.isArray(found) ? found.filter(isPlace) : [];
    } catch {
      return [];
    }
  }

  /** Ignores a disk that is full. */
  save(places: readonly WindowPlace[]): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.new`, JSON.stringify(places));
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      return;
    }
  }
}

function isPlace(value: unknown): value is WindowPlace {
  if (typeof value !== 'object' || value === null) return false;
  const place = value as Record<string, unknown>;
  return (
    ['x', 'y', 'width', 'height'].every((name) => Number.isFinite(place[name])) &&
    typeof place.route === 'string' &&
    typeof place.maximized === 'boolean' &&
    typeof place.fullScreen === 'boolean'
  );
}
