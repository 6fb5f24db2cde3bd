import L from 'leaflet';
import { Labelers, leafletLayer, TileCache, View } from 'protomaps-leaflet';
import type { LabelRule } from 'protomaps-leaflet';
import type { Palette } from '../../lib/palettes.ts';
import { BASE_COLOURS } from './base-colours.ts';
import { FIRST_ICON_ZOOM } from './base-labels.ts';
import { baseStyle } from './base-style.ts';
import { LabelFonts } from './labels/label-fonts.ts';
import { loadIcons } from './labels/poi-icons.ts';
import { TerritoryTiles } from './territory-tiles.ts';
import { drawAside } from './tile-pictures.ts';

/** The greatest zoom of the station's tiles; closer views are drawn from the same. */
const MAX_DATA_ZOOM = 15;
/** Data tiles, each 512 pixels wide, whose labels are kept for each zoom. */
const LABELLED_TILES = 96;

// protomaps-leaflet extends the classes of a global Leaflet, as a page with script tags has it.
(globalThis as { L?: typeof L }).L = L;

interface BaseOptions {
  /** Where tiles are served. */
  readonly path?: string;
  /** Nothing is painted beyond the territory, so that a layer beneath is seen there. */
  readonly isOpenBeyond?: boolean;
}

/**
 * The base map, drawn from the station's own tiles. `version` marks the territory, so that after an import no
 * tile of the old one is taken from the browser's cache.
 */
export function baseLayer(
  palette: Palette,
  language: string,
  version: string,
  { path, isOpenBeyond = false }: BaseOptions = {},
): L.Layer {
  let asked = false;
  const needIcons = () => {
    if (asked) return;
    asked = true;
    void loadIcons().then(() => layer['rerenderTiles']());
  };
  const layer = leafletLayer({
    url: '',
    attribution: '',
    ...baseStyle(BASE_COLOURS[palette], language, needIcons),
    ...(isOpenBeyond && { backgroundColor: '' }),
    tileDelay: 1,
    updateWhenZooming: false,
    keepBuffer: 3,
  });
  // Icons that come after the tiles cost a second painting of each.
  layer.on('add', () => (layer as unknown as { _map: L.Map })._map.getZoom() >= FIRST_ICON_ZOOM && needIcons());
  drawAside(layer as unknown as Parameters<typeof drawAside>[0]);
  // A data tile covers two by two tiles of the screen, so that labels have room.
  const views = layer['views'] as Map<string, View>;
  const tiles = new TerritoryTiles(new LabelFonts(language), version, path);
  views.set('', new View(new TileCache(tiles, 512), MAX_DATA_ZOOM, 1));
  // By default it forgets the labels of all but 16 data tiles, and a large screen shows more.
  const labels = new Labelers(
    layer['scratch'] as CanvasRenderingContext2D,
    layer['labelRules'] as LabelRule[],
    LABELLED_TILES,
    layer['onTilesInvalidated'] as (tiles: Set<string>) => void,
  );
  layer['labelers'] = labels;
  return layer as unknown as L.Layer;
}
