import type { ApiError } from '../api/client.ts';
import { i18n } from './index.ts';
import { russianRefusal, sentenceOf, type SaidRefusal } from './refusal-words.ts';

/** Why a question has no answer, in words: a cut line must not look like an empty answer. */
export function questionProblem(error: ApiError): string {
  return error.status === 0 ? i18n.global.t('problems.unasked') : refusal(error.message);
}

/** Why something was not done. */
export function actionProblem(error: ApiError): string {
  return error.status === 0 ? i18n.global.t('problems.unreachable') : refusal(error.message);
}

/**
 * What the station refused, in the operator's language; where no translation is known, that it did, and its
 * own words.
 */
export function refusal(said: string): string {
  return sentenceOf(saidRefusal(said));
}

/**
 * The same, with the field of the interface that it is about, where it is said. The station speaks English.
 */
export function saidRefusal(said: string): SaidRefusal {
  if (i18n.global.locale.value === 'en') return { text: said };
  return russianRefusal(said) ?? { text: i18n.global.t('problems.refused', { said }) };
}
