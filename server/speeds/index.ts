export { Speeds, type SpeedsOptions, type SpeedsStatus } from './speeds.ts';
export type { Coverage, Effect } from './learner.ts';
export { HOURS, LEVELS } from './hours.ts';
