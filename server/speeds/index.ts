export { Speeds, type SpeedsOptions } from './speeds.ts';
export type { Coverage, Effect } from './learner.ts';
export { HOURS, LEVELS } from './hours.ts';
