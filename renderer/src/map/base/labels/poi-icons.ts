/** Icons by the kinds of `poi` in the station's tiles; the names are those of Maki. */
const ICONS: ReadonlyMap<string, string> = new Map([
  ['airport', 'airport'],
  ['ambulance_station', 'hospital'],
  ['attraction', 'attraction'],
  ['bank', 'bank'],
  ['bar', 'bar'],
  ['barrier', 'barrier'],
  ['bus_station', 'bus'],
  ['bus_stop', 'bus'],
  ['cafe', 'cafe'],
  ['camp_site', 'campsite'],
  ['car_repair', 'car-repair'],
  ['castle', 'castle'],
  ['charging_station', 'charging-station'],
  ['cinema', 'cinema'],
  ['clinic', 'hospital'],
  ['college', 'college'],
  ['courthouse', 'landmark'],
  ['defibrillator', 'defibrillator'],
  ['doctors', 'doctor'],
  ['embassy', 'embassy'],
  ['fast_food', 'fast-food'],
  ['ferry_terminal', 'ferry'],
  ['fire_station', 'fire-station'],
  ['fountain', 'water'],
  ['fuel', 'fuel'],
  ['halt', 'rail'],
  ['harbour', 'harbor'],
  ['helipad', 'heliport'],
  ['hospital', 'hospital'],
  ['hotel', 'lodging'],
  ['kindergarten', 'school'],
  ['library', 'library'],
  ['lighthouse', 'lighthouse'],
  ['mall', 'shop'],
  ['marketplace', 'shop'],
  ['monument', 'monument'],
  ['museum', 'museum'],
  ['nursing_home', 'residential-community'],
  ['park', 'park'],
  ['parking', 'parking'],
  ['peak', 'mountain'],
  ['pharmacy', 'pharmacy'],
  ['place_of_worship', 'place-of-worship'],
  ['police', 'police'],
  ['post_office', 'post'],
  ['prison', 'prison'],
  ['restaurant', 'restaurant'],
  ['school', 'school'],
  ['shop', 'shop'],
  ['social_facility', 'residential-community'],
  ['sports_centre', 'pitch'],
  ['stadium', 'stadium'],
  ['station', 'rail'],
  ['subway_entrance', 'rail-metro'],
  ['supermarket', 'grocery'],
  ['theatre', 'theatre'],
  ['toilets', 'toilet'],
  ['townhall', 'town-hall'],
  ['tram_stop', 'rail-light'],
  ['university', 'college'],
  ['veterinary', 'veterinary'],
  ['viewpoint', 'viewpoint'],
]);

/** Pixels that an icon is wide and high. */
export const ICON_SIZE = 15;

let files: Readonly<Record<string, string>> | undefined;
let loading: Promise<void> | undefined;
const shapes = new Map<string, Path2D | undefined>();

export function hasIcon(kind: string): boolean {
  return ICONS.has(kind);
}

/** Fetches the icons once. They are drawn from then on. */
export function loadIcons(): Promise<void> {
  return (loading ??= import('./poi-icon-files.ts').then(
    ({ POI_ICON_FILES: FILES }) => void (files = FILES),
    () => void (loading = undefined), // the next map tries again
  ));
}

/** The shape of a kind, from its upper left corner; undefined if there is none, or before the icons have loaded. */
export function iconOf(kind: string): Path2D | undefined {
  if (files && !shapes.has(kind)) shapes.set(kind, readShape(files, ICONS.get(kind)));
  return shapes.get(kind);
}

function readShape(all: Readonly<Record<string, string>>, file: string | undefined): Path2D | undefined {
  const svg = Object.entries(all).find(([path]) => path.endsWith(`/${file}.svg`))?.[1];
  if (svg === undefined) return undefined;
  const shape = new Path2D();
  for (const [, path] of svg.matchAll(/\sd="([^"]+)"/g))
    shape.addPath(new Path2D(path!.replaceAll(/&#x[0-9A-F]+;/g, ' ')));
  return shape;
}
