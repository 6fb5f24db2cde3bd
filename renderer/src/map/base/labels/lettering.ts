import type { Feature } from 'protomaps-leaflet';

/** How a label is written. */
export interface Lettering {
  readonly font: string;
  readonly fill: string;
  readonly halo: string;
  /** Pixels of halo on each side. */
  readonly haloWidth: number;
}

export interface WrittenText {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

const LINE_HEIGHT = 1.2;

/** The name in the operator's language, else the local name. */
export function nameIn(language: string): (feature: Feature) => string | undefined {
  const own = `name:${language}`;
  return ({ props }) => {
    const name = props[own] ?? props['name'];
    return typeof name === 'string' && name !== '' ? name : undefined;
  };
}

export function fontSize(font: string): number {
  return Number(/(\d+(?:\.\d+)?)px/.exec(font)?.[1] ?? 12);
}

/** Breaks a text at spaces into lines of some `most` characters. */
export function wrap(scratch: CanvasRenderingContext2D, text: string, font: string, most: number): WrittenText {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  scratch.font = font;
  const width = Math.max(...lines.map((line) => scratch.measureText(line).width));
  return { lines, width, height: lines.length * fontSize(font) * LINE_HEIGHT };
}

/**
 * Writes lines below one another around (x, y). All halos come before all letters, so that no line is covered by
 * the halo of the next.
 */
export function write(
  ctx: CanvasRenderingContext2D,
  { lines, height }: WrittenText,
  { font, fill, halo, haloWidth }: Lettering,
  x: number,
  y: number,
  align: 'left' | 'center' | 'right' = 'center',
): void {
  ctx.globalAlpha = 1;
  ctx.font = font;
  ctx.textAlign = align;
  ctx.textBaseline = 'middle';
  ctx.lineJoin = 'round';
  ctx.lineWidth = haloWidth * 2;
  ctx.strokeStyle = halo;
  ctx.fillStyle = fill;
  const step = height / lines.length;
  const top = y - height / 2 + step / 2;
  lines.forEach((line, i) => ctx.strokeText(line, x, top + i * step));
  lines.forEach((line, i) => ctx.fillText(line, x, top + i * step));
}
