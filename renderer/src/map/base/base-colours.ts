import { GROUND_BY_DAY } from '../../../../shared/geo/ground-colours.ts';
import type { Palette } from '../../lib/palettes.ts';

/**
 * Colours of the base map. It is a background for vehicles and tasks: low in contrast and saturation, without
 * any red, so that moving and important things stand out.
 */
export interface BaseColours {
  unknown: string;
  /** Land and coasts beyond the territory. */
  worldLand: string;
  worldLine: string;
  earth: string;
  water: string;
  waterLine: string;
  green: string;
  wood: string;
  sand: string;
  built: string;
  works: string;
  civic: string;
  paved: string;
  building: string;
  buildingEdge: string;
  roadCase: string;
  motorway: string;
  trunk: string;
  primary: string;
  street: string;
  privateRoad: string;
  oneway: string;
  track: string;
  path: string;
  rail: string;
  boundary: string;
  label: string;
  labelDim: string;
  labelWater: string;
  labelGreen: string;
  halo: string;
  poi: string;
  poiMajor: string;
  /** The icon within the disc. */
  poiGround: string;
}

export const BASE_COLOURS: Readonly<Record<Palette, BaseColours>> = {
  day: {
    ...GROUND_BY_DAY,
    worldLand: '#e7e9ea',
    worldLine: '#aab6c0',
    privateRoad: '#e6e3dd',
    oneway: '#7d8b97',
    rail: '#8f969c',
    boundary: '#8f7fa6',
    label: '#27333d',
    labelDim: '#56636e',
    labelWater: '#2d6488',
    labelGreen: '#3d6638',
    halo: '#ffffffcc',
    poi: '#5c6873',
    poiMajor: '#1e5480',
    poiGround: '#ffffff',
  },
  dusk: {
    unknown: '#171f28',
    worldLand: '#1d262f',
    worldLine: '#3d4b58',
    earth: '#26303a',
    water: '#16293c',
    waterLine: '#1c3550',
    green: '#26372f',
    wood: '#22352b',
    sand: '#35352f',
    built: '#2a343e',
    works: '#2d3440',
    civic: '#31363a',
    paved: '#2f3841',
    building: '#343f4a',
    buildingEdge: '#3f4b57',
    roadCase: '#1a222a',
    motorway: '#8c7446',
    trunk: '#7b6a48',
    primary: '#696250',
    street: '#4a5661',
    privateRoad: '#3a444e',
    oneway: '#9fb0bf',
    track: '#4e4c43',
    path: '#4b5157',
    rail: '#66727d',
    boundary: '#7d7196',
    label: '#dfe6ec',
    labelDim: '#a5b2be',
    labelWater: '#7fb0d6',
    labelGreen: '#8fbf95',
    halo: '#1c252ecc',
    poi: '#97a5b1',
    poiMajor: '#8dc3f0',
    poiGround: '#1c252e',
  },
  night: {
    unknown: '#050708',
    worldLand: '#080b0d',
    worldLine: '#1c2429',
    earth: '#0b0f12',
    water: '#06101a',
    waterLine: '#0a1826',
    green: '#0b130e',
    wood: '#0a120c',
    sand: '#12120f',
    built: '#0e1215',
    works: '#101216',
    civic: '#111314',
    paved: '#111518',
    building: '#14191d',
    buildingEdge: '#1a2025',
    roadCase: '#050708',
    motorway: '#3d3320',
    trunk: '#352e20',
    primary: '#2c2922',
    street: '#1f262b',
    privateRoad: '#181e22',
    oneway: '#5d6a73',
    track: '#1d1c18',
    path: '#1c2022',
    rail: '#2b3238',
    boundary: '#383248',
    label: '#7d8890',
    labelDim: '#5d686f',
    labelWater: '#3f6280',
    labelGreen: '#47634b',
    halo: '#070a0ccc',
    poi: '#56616a',
    poiMajor: '#527795',
    poiGround: '#070a0c',
  },
};
