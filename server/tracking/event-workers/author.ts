import { stationPart } from '../../../shared/merge/stamps.ts';

/**
 * The part of a stamp that names the workers of a region together: one log decides what they write, and the stamps in
 * it ascend.
 */
export const WORKERS = stationPart(0, 'workers');
