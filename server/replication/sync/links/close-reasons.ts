import { reason, sentenceOf } from '../../../../shared/refusals/reason.ts';

/** Close reasons with a meaning for programs. */
export const PAUSED = sentenceOf(reason('sync.pausedThere'));
export const CUT = sentenceOf(reason('sync.cutThere'));
