import L from 'leaflet';
import outlineUrl from 'world-atlas/countries-50m.json?url';
import type { Palette } from '../../../lib/palettes.ts';
import { BASE_COLOURS } from '../base-colours.ts';
import { readWorld, touches, WORLD_ZOOM, type WorldLine, type WorldOutline } from './world-outline.ts';

/** Below the base map, which has 1. */
const Z_INDEX = 0;
/** Pixels of a tile. */
const TILE = 512;
/** Country names are letters of this height in pixels. */
const LETTERS = 12;
/** Pixels around a tile that lines and letters reach into it from. */
const MARGIN = 4;

interface DrawnOutline extends WorldOutline {
  readonly paths: ReadonlyMap<WorldLine, Path2D>;
}
let outline: Promise<DrawnOutline> | undefined;

/** Loads the outline once. A failed attempt is repeated when it is asked for again. */
function loadOutline(): Promise<DrawnOutline> {
  outline ??= fetch(outlineUrl)
    .then(async (response) => {
      const world = readWorld(await response.json());
      const lines = [...world.land, ...world.coasts, ...world.frontiers];
      return { ...world, paths: new Map(lines.map((line) => [line, pathOf(line)])) };
    })
    .catch((error: unknown) => {
      outline = undefined;
      throw error;
    });
  return outline;
}

function pathOf({ points }: WorldLine): Path2D {
  const path = new Path2D();
  path.moveTo(points[0]!, points[1]!);
  for (let i = 2; i < points.length; i += 2) path.lineTo(points[i]!, points[i + 1]!);
  return path;
}

/**
 * The world beneath the territory up to zoom 9, from Natural Earth (public domain). Land has a neutral tint
 * and sea none: the outline is too coarse to distinguish them at a coast. @param named the country of the
 * territory is not named where the base map has its own names; degrees: west, south, east, north
 */
export function worldLayer(palette: Palette, language: string, named: readonly number[] | undefined): L.Layer {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const colours = BASE_COLOURS[palette];
  const covered = named && L.latLngBounds([named[1]!, named[0]!], [named[3]!, named[2]!]);

  function draw(context: OffscreenCanvasRenderingContext2D, world: DrawnOutline, { x, y, z }: L.Coords): void {
    const scale = 2 ** (z - WORLD_ZOOM);
    const [left, top] = [(x * TILE) / scale, (y * TILE) / scale];
    const margin = MARGIN / scale;
    const box = {
      west: left - margin,
      north: top - margin,
      east: left + TILE / scale + margin,
      south: top + TILE / scale + margin,
    };
    const inTile = (lines: readonly WorldLine[]) =>
      lines.filter((line) => touches(line.box, box)).map((line) => world.paths.get(line)!);
    context.save();
    context.scale(scale, scale);
    context.translate(-left, -top);
    context.fillStyle = colours.worldLand;
    const land = new Path2D();
    for (const path of inTile(world.land)) land.addPath(path);
    context.fill(land, 'evenodd');
    context.lineJoin = 'round';
    context.lineWidth = 1 / scale;
    context.strokeStyle = colours.worldLine;
    for (const path of inTile(world.coasts)) context.stroke(path);
    context.setLineDash([5 / scale, 3 / scale]);
    for (const path of inTile(world.frontiers)) context.stroke(path);
    context.restore();
    context.font = `500 ${LETTERS}px Roboto, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = colours.halo;
    context.fillStyle = colours.labelDim;
    for (const country of world.countries) {
      const name = names.of(country.code)!;
      const { width } = context.measureText(name);
      const [atX, atY] = [(country.x - left) * scale, (country.y - top) * scale];
      const isInTile =
        Math.abs(atX - TILE / 2) < (TILE + width) / 2 + MARGIN && Math.abs(atY - TILE / 2) < TILE / 2 + LETTERS;
      if (!isInTile || country.width * scale < width) continue;
      if (covered?.contains(L.CRS.EPSG3857.pointToLatLng(L.point(country.x, country.y), WORLD_ZOOM))) continue;
      context.strokeText(name, atX, atY);
      context.fillText(name, atX, atY);
    }
  }

  const Layer = L.GridLayer.extend({
    createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
      const tile = document.createElement('canvas');
      void loadOutline().then(
        (world) => {
          const ratio = devicePixelRatio;
          tile.width = tile.height = TILE * ratio;
          // Drawn aside: see tile-pictures.ts.
          const sheet = new OffscreenCanvas(tile.width, tile.height);
          const context = sheet.getContext('2d')!;
          context.scale(ratio, ratio);
          draw(context, world, coords);
          tile.getContext('bitmaprenderer')!.transferFromImageBitmap(sheet.transferToImageBitmap());
          done(undefined, tile);
        },
        (error: Error) => done(error, tile),
      );
      return tile;
    },
  }) as unknown as new (options: L.GridLayerOptions) => L.GridLayer;
  return new Layer({ tileSize: TILE, maxZoom: WORLD_ZOOM, zIndex: Z_INDEX, className: 'world' });
}
