import { Refusal } from '../../../../shared/refusal.ts';

/** The refusal of an imported document that is no XML. */
export const brokenXml = (problem: string): Refusal => new Refusal('imports.brokenFile', { problem });
