/** Codes and sentences of `/health` about the readers of a territory: the planner, the geocoder, the map. */
export const UNUSABLE = [
  ['routing.unusable', 'There are no routes: the roads of the territory cannot be read.'],
  ['geocoding.unusable', 'Addresses are not found: the places of the territory cannot be read.'],
  ['map.unusable', 'There is no map: the tiles of the territory cannot be read.'],
] as const;
