/** The console's day palette (renderer/src/map/base/base-colours.ts), as far as a printed picture needs it. */
export const DAY = {
  unknown: '#dfe4e8',
  earth: '#f3f2ee',
  water: '#b5d3e6',
  waterLine: '#a3c6de',
  green: '#dcead0',
  wood: '#c9dfbd',
  sand: '#efe8d2',
  built: '#ebe9e4',
  works: '#e4e1e6',
  civic: '#ece6d9',
  paved: '#e9e9ea',
  building: '#dcd8d0',
  buildingEdge: '#cbc6bc',
  roadCase: '#bfc4c8',
  motorway: '#e8b96a',
  trunk: '#f0cc88',
  primary: '#f7e0a4',
  street: '#ffffff',
  track: '#c5b899',
  path: '#b3a78e',
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
