import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { DAY, landuseColour, ROADS } from './colours.ts';
import { LabelPlacer } from './lettering.ts';
import type { PictureView, TilePlace } from './view.ts';

export interface DrawnTile {
  readonly place: TilePlace;
  /** The raw tile, uncompressed. */
  readonly bytes: Uint8Array;
}

type PixelPoint = readonly [x: number, y: number];
/** A feature of some tile in pixels of the picture. */
interface DrawnLine {
  readonly props: Record<string, unknown>;
  readonly lines: readonly (readonly PixelPoint[])[];
}

/** The view as an SVG: the tiles in the day palette, names of streets and places, and a pin in the middle. */
export function drawPicture(view: PictureView, tiles: readonly DrawnTile[], attribution: string): string {
  const layers = read(tiles);
  const of = (name: string) => layers.get(name) ?? [];
  const grown = 1.5 ** (view.zoom - 16);
  const parts: string[] = [];
  // Neighbouring tiles overlap, so their common parts must not cancel out: nonzero fill rule, not even-odd.
  const area = (features: readonly DrawnLine[], fill: string, stroke = '') =>
    features.length > 0 &&
    parts.push(
      `<path fill-rule="nonzero" fill="${fill}"${stroke} d="${features.map(({ lines }) => outline(lines, true)).join('')}"/>`,
    );
  const line = (features: readonly DrawnLine[], colour: string, width: number, more = '') =>
    features.length > 0 &&
    parts.push(
      `<path fill="none" stroke="${colour}" stroke-width="${width.toFixed(2)}" stroke-linejoin="round" ${more} d="${features.map(({ lines }) => outline(lines, false)).join('')}"/>`,
    );

  area(of('earth'), DAY.earth);
  for (const feature of of('landuse')) {
    const colour = landuseColour(feature.props['kind']);
    if (colour) area([feature], colour);
  }
  line(
    of('waterway').filter(({ props }) => props['tunnel'] !== true),
    DAY.waterLine,
    Math.max(0.8, 4 * grown),
    'stroke-linecap="round"',
  );
  area(of('water'), DAY.water);
  area(of('building'), DAY.building, view.zoom >= 15.5 ? ` stroke="${DAY.buildingEdge}" stroke-width="0.7"` : '');
  line(of('aeroway'), DAY.paved, 12 * grown);
  const roads = of('road');
  const kind = (wanted: string) => roads.filter(({ props }) => props['kind'] === wanted);
  line(kind('path'), DAY.path, 1.4, 'stroke-dasharray="3 2"');
  line(kind('track'), DAY.track, 2, 'stroke-dasharray="6 2"');
  line(kind('ferry'), DAY.waterLine, 1, 'stroke-dasharray="6 4"');
  for (const [bridge, extra] of [
    [false, 1.6],
    [true, 2.8],
  ] as const) {
    const here = (wanted: string) => kind(wanted).filter(({ props }) => (props['bridge'] === true) === bridge);
    for (const [name, , width] of ROADS)
      line(here(name), DAY.roadCase, width * grown + extra, bridge ? '' : 'stroke-linecap="round"');
    for (const [name, colour, width] of ROADS) line(here(name), colour, width * grown, 'stroke-linecap="round"');
  }
  const rails = of('rail').filter(({ props }) => props['tunnel'] !== true);
  line(rails, DAY.rail, Math.max(1, 2 * grown));
  const lettering = new LabelPlacer();
  letter(lettering, view, attribution, layers);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${view.height}" viewBox="0 0 ${view.width} ${view.height}"><rect width="100%" height="100%" fill="${DAY.unknown}"/>${parts.join('')}${lettering.svg}${pin(view)}</svg>`;
}

function letter(
  lettering: LabelPlacer,
  view: PictureView,
  attribution: string,
  layers: ReadonlyMap<string, readonly DrawnLine[]>,
): void {
  const { width, height } = view;
  const inside = ([x, y]: PixelPoint) => x > 6 && y > 6 && x < width - 6 && y < height - 6;
  lettering.reserve(width / 2, height / 2 - 14, 30, 44);
  lettering.write(attribution, width - 6 - lettering.widthOf(attribution, 9) / 2, height - 9, {
    size: 9,
    colour: DAY.labelDim,
  });
  for (const { props, lines } of layers.get('place') ?? []) {
    const at = lines[0]?.[0];
    if (at && inside(at) && typeof props['name'] === 'string')
      lettering.write(props['name'], ...at, { size: 14, colour: DAY.labelDim });
  }
  const named = (layers.get('road') ?? [])
    .filter(({ props }) => typeof props['name'] === 'string')
    .flatMap(({ props, lines }) =>
      lines.map((line) => ({ name: props['name'] as string, run: longestRun(line, inside) })),
    );
  for (const { name, run } of named.filter(({ run }) => run.length > 20).sort((a, b) => b.run.length - a.run.length)) {
    if (run.length > lettering.widthOf(name, 11) * 0.75)
      lettering.write(name, ...run.middle, { size: 11, angle: run.angle });
  }
  if (view.zoom < 15.5) return;
  for (const { props, lines } of layers.get('housenumber') ?? []) {
    const at = lines[0]?.[0];
    if (at && inside(at))
      lettering.write(String(props['number']), ...at, { size: 8.5, colour: DAY.labelDim, once: false });
  }
}

/** The longest straight part of a line inside the picture, for its name. Slight bends count as straight. */
function longestRun(
  line: readonly PixelPoint[],
  inside: (point: PixelPoint) => boolean,
): { length: number; middle: PixelPoint; angle: number } {
  let best = { length: 0, middle: [0, 0] as PixelPoint, angle: 0 };
  for (let from = 0; from < line.length - 1; from++) {
    for (let to = from + 1; to < line.length && to <= from + 8; to++) {
      const [a, b] = [line[from]!, line[to]!];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const way = line
        .slice(from + 1, to + 1)
        .reduce(
          (sum, point, index) => sum + Math.hypot(point[0] - line[from + index]![0], point[1] - line[from + index]![1]),
          0,
        );
      if (length <= best.length || way > length * 1.03 || !inside(a) || !inside(b)) continue;
      const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
      best = {
        length,
        middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
        angle: angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle,
      };
    }
  }
  return best;
}

function pin({ width, height }: PictureView): string {
  return `<g transform="translate(${width / 2} ${height / 2})"><ellipse rx="6" ry="2.5" fill="#000" opacity="0.3"/><path d="M0 0C-4-8-11-13-11-22A11 11 0 0 1 11-22C11-13 4-8 0 0Z" fill="${DAY.pin}" stroke="#fff" stroke-width="2"/><circle cy="-22" r="4" fill="#fff"/></g>`;
}

function read(tiles: readonly DrawnTile[]): Map<string, DrawnLine[]> {
  const layers = new Map<string, DrawnLine[]>();
  for (const { place, bytes } of tiles) {
    for (const [name, layer] of Object.entries(new VectorTile(new PbfReader(bytes)).layers)) {
      const drawn = layers.get(name) ?? [];
      layers.set(name, drawn);
      for (let index = 0; index < layer.length; index++) drawn.push(placed(layer.feature(index), place));
    }
  }
  return layers;
}

function placed(feature: VectorTileFeature, { left, top, side }: TilePlace): DrawnLine {
  const scale = side / feature.extent;
  return {
    props: feature.properties,
    lines: feature
      .loadGeometry()
      .map((line) => line.map(({ x, y }): PixelPoint => [left + x * scale, top + y * scale])),
  };
}

function outline(lines: readonly (readonly PixelPoint[])[], closed: boolean): string {
  return lines
    .map((line) => `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${closed ? 'Z' : ''}`)
    .join('');
}
