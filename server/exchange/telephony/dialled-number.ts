import { diallable } from '../../../shared/calls/number.ts';
import type { ExchangeSettings } from './settings.ts';

/** Digits that the exchange dials; empty: the text is not a telephone number. */
export function dialledNumber(written: string, { dialPrefix, plus }: Pick<ExchangeSettings, 'dialPrefix' | 'plus'>) {
  const plain = diallable(written);
  if (plain === '') return '';
  return dialPrefix + (plain.startsWith('+') ? plus + plain.slice(1) : plain);
}
