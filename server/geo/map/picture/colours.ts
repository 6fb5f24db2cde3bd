import { GROUND_BY_DAY } from '../../../../shared/geo/ground-colours.ts';

/** The colours of a printed picture: the ground of the console by day, with lines and labels for paper. */
export const DAY = {
  ...GROUND_BY_DAY,
  rail: '#a4a7ac',
  label: '#33383d',
  labelDim: '#6b7178',
  halo: '#ffffff',
  pin: '#0b4f9e',
} as const;

const LANDUSE: Readonly<Record<string, keyof typeof DAY>> = {
  residential: 'built',
  commercial: 'works',
  retail: 'works',
  industrial: 'works',
  railway: 'works',
  military: 'works',
  quarry: 'works',
  landfill: 'works',
  construction: 'works',
  greenhouse: 'works',
  farmland: 'green',
  meadow: 'green',
  orchard: 'green',
  vineyard: 'green',
  allotments: 'green',
  grass: 'green',
  heath: 'green',
  golf: 'green',
  cemetery: 'green',
  wetland: 'green',
  forest: 'wood',
  scrub: 'wood',
  beach: 'sand',
  sand: 'sand',
  rock: 'sand',
  glacier: 'sand',
  school: 'civic',
  university: 'civic',
  hospital: 'civic',
  park: 'green',
  garden: 'green',
  pitch: 'green',
  sports: 'green',
  playground: 'green',
  parking: 'paved',
  aerodrome: 'paved',
  apron: 'paved',
  pedestrian: 'paved',
  pier: 'paved',
};

export function landuseColour(kind: unknown): string | undefined {
  const name = LANDUSE[String(kind)];
  return name && DAY[name];
}

/**
 * Kinds of road, least important first: colour and width in pixels at zoom 16; each zoom doubles it by half.
 */
export const ROADS: readonly (readonly [kind: string, colour: string, width: number])[] = [
  ['service', DAY.street, 3.5],
  ['pedestrian', DAY.paved, 4.5],
  ['minor', DAY.street, 6.5],
  ['tertiary', DAY.street, 8],
  ['secondary', DAY.primary, 9],
  ['primary', DAY.primary, 10],
  ['trunk', DAY.trunk, 11],
  ['motorway', DAY.motorway, 12],
];
