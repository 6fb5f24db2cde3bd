import type { ApiError } from '../api/client.ts';
import { i18n } from './index.ts';
import { refusalWords, type RefusalWords } from './refusal-words.ts';

/**
 * A refusal of the station: its English sentence, and the reason where it sent one that this console knows.
 */
export type RefusedAnswer = Pick<ApiError, 'message' | 'reason'>;

/** Why a question has no answer, in words: a cut line must not look like an empty answer. */
export function questionProblem(error: ApiError): string {
  if (error.isLate) return i18n.global.t('problems.late');
  return error.status === 0 ? i18n.global.t('problems.unasked') : refusalOf(error).sentence;
}

/** Why something was not done. */
export function actionProblem(error: ApiError): string {
  if (error.isLate) return i18n.global.t('problems.notConfirmed');
  return error.status === 0 ? i18n.global.t('problems.unreachable') : refusalOf(error).sentence;
}

/**
 * The refusal in the operator's language. Without a text for it: that the station refused, and the station's
 * own words.
 */
export function refusalOf({ message, reason }: RefusedAnswer): RefusalWords {
  const words = reason && refusalWords(reason);
  if (words) return words;
  const said = i18n.global.locale.value === 'en' ? message : i18n.global.t('problems.refused', { said: message });
  return { sentence: said, rule: said };
}
