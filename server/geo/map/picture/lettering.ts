import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import { ROBOTO } from '../../../platform/program.ts';
import { DAY } from './colours.ts';

/** Parsed once per drawing thread. */
const font: Font = create(readFileSync(ROBOTO.medium));

/**
 * Writes names into a picture as outlines, because the machine may have no fonts. Of overlapping names the
 * first stays; each name is written once.
 */
export class LabelPlacer {
  readonly #taken: [number, number, number, number][] = [];
  readonly #written = new Set<string>();
  readonly #paths: string[] = [];

  /** Keeps a box free of names. */
  reserve(x: number, y: number, width: number, height: number): void {
    this.#taken.push([x - width / 2, y - height / 2, x + width / 2, y + height / 2]);
  }

  widthOf(text: string, size: number): number {
    return (font.layout(text).advanceWidth / font.unitsPerEm) * size;
  }

  /** @param angle degrees, clockwise; the middle of the text is at the point */
  write(
    text: string,
    x: number,
    y: number,
    {
      size,
      angle = 0,
      colour = DAY.label,
      once = true,
    }: { size: number; angle?: number; colour?: string; once?: boolean },
  ): boolean {
    if (once && this.#written.has(text)) return false;
    const run = font.layout(text.slice(0, 60));
    const scale = size / font.unitsPerEm;
    const width = run.advanceWidth * scale;
    const [across, down] = [Math.abs(Math.cos((angle * Math.PI) / 180)), Math.abs(Math.sin((angle * Math.PI) / 180))];
    const box: [number, number, number, number] = [
      x - (width * across + size * down) / 2 - 2,
      y - (width * down + size * across) / 2 - 2,
      x + (width * across + size * down) / 2 + 2,
      y + (width * down + size * across) / 2 + 2,
    ];
    if (this.#taken.some((taken) => box[0] < taken[2] && box[2] > taken[0] && box[1] < taken[3] && box[3] > taken[1]))
      return false;
    this.#taken.push(box);
    this.#written.add(text);
    let at = -run.advanceWidth / 2;
    const glyphs = run.glyphs.map((glyph, index) => {
      const position = run.positions[index]!;
      const path = `<path transform="translate(${(at + position.xOffset).toFixed(0)} ${(-font.unitsPerEm * 0.36).toFixed(0)})" d="${glyph.path.toSVG()}"/>`;
      at += position.xAdvance;
      return path;
    });
    this.#paths.push(
      `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(1)}) scale(${scale} ${-scale})" fill="${colour}" stroke="${DAY.halo}" stroke-width="${(3 / scale).toFixed(0)}" stroke-linejoin="round" paint-order="stroke">${glyphs.join('')}</g>`,
    );
    return true;
  }

  get svg(): string {
    return this.#paths.join('');
  }
}
