import { defineProfile } from '../profile.ts';

/** An ordinary car: `spec/routing.md` 11.7 to 11.9, release C. */
export const car = defineProfile({
  name: 'car',
  description: 'Car',
  speeds: {
    motorway: 90, motorway_link: 45,
    trunk: 85, trunk_link: 40,
    primary: 65, primary_link: 30,
    secondary: 55, secondary_link: 25,
    tertiary: 40, tertiary_link: 20,
    unclassified: 25, residential: 25,
    living_street: 10, service: 15,
  },
  otherSpeed: 10,
  routes: { ferry: { speed: 5, mode: 2 }, shuttle_train: { speed: 10, mode: 2 } },
  movableBridge: { speed: 5, mode: 3 },
  access: {
    keys: ['motorcar', 'motor_vehicle', 'vehicle', 'access'],
    denied: ['no', 'private', 'agricultural', 'forestry', 'emergency', 'psv'],
    allowed: ['yes', 'motorcar', 'motor_vehicle', 'vehicle', 'permissive', 'designated', 'destination'],
  },
  closedWhen: { area: ['yes'], oneway: ['reversible'], impassable: ['yes'], status: ['impassable'], smoothness: ['impassable'] },
  oneway: { implied: ['motorway', 'motorway_link'] },
  maxspeed: {
    kinds: { urban: 50, rural: 90, trunk: 110, motorway: 130 },
    exceptions: {
      'ch:rural': 80, 'ch:trunk': 100, 'ch:motorway': 120,
      'de:living_street': 7, 'ru:living_street': 20, 'ru:urban': 60, 'ua:urban': 60,
      'at:rural': 100, 'de:rural': 100, 'at:trunk': 100, 'cz:trunk': 0, 'ro:trunk': 100,
      'cz:motorway': 0, 'de:motorway': 0, 'ru:motorway': 110,
      'gb:nsl_single': 96.54, 'gb:nsl_dual': 112.63, 'gb:motorway': 112.63,
      'uk:nsl_single': 96.54, 'uk:nsl_dual': 112.63, 'uk:motorway': 112.63,
    },
  },
  caps: {
    surface: {
      cement: 80, compacted: 80, fine_gravel: 80,
      paving_stones: 60, metal: 60, bricks: 60,
      grass: 40, wood: 40, sett: 40, grass_paver: 40, gravel: 40, unpaved: 40, ground: 40, dirt: 40, pebblestone: 40, tartan: 40,
      cobblestone: 30, clay: 30,
      earth: 20, stone: 20, rocky: 20, sand: 20,
      mud: 10,
    },
    tracktype: { grade1: 60, grade2: 40, grade3: 30, grade4: 25, grade5: 20 },
    smoothness: { intermediate: 80, bad: 40, very_bad: 20, horrible: 10, very_horrible: 5 },
  },
  narrow: { width: 3, lanes: 1, factor: 0.5 },
  scale: { factor: 0.8, offset: 11 },
  barriers: { passable: ['cattle_grid', 'border_control', 'checkpoint', 'toll_booth', 'sally_port', 'gate', 'lift_gate', 'no', 'entrance'] },
  signal: 2,
  // 10 x (angle / 90) squared tenths of a second, divided by 1.2 to the right and times 1.2 to the left.
  turns: { uturn: 20, right: 1 / 1.2, left: 1.2, restrictionKeys: ['motorcar', 'motor_vehicle', 'vehicle'] },
});
