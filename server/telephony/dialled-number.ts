import { plainNumber } from '../../shared/calls/number.ts';
import type { ExchangeSettings } from './settings.ts';

/** Longest number with its country code (E.164), and room for a trunk code. */
const LONGEST = 20;

/** Digits that the exchange dials; empty: what was written is no telephone number. Letters make no number. */
export function dialledNumber(written: string, { dialPrefix, plus }: Pick<ExchangeSettings, 'dialPrefix' | 'plus'>) {
  const kept = written.replace(/^\s*(?:sips?|tel):/i, '').replace(/@.*$/, '');
  const plain = /^[-\d\s().+/]+$/.test(kept) ? plainNumber(kept) : '';
  if (plain.length < 2 || plain.length > LONGEST) return '';
  return dialPrefix + (plain.startsWith('+') ? plus + plain.slice(1) : plain);
}
