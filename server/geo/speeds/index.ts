export { Speeds, type SpeedsOptions } from './speeds.ts';
export type { Coverage, EstimateErrors } from './learner.ts';
export { HOURS, HOUR_LEVELS } from './hours.ts';
