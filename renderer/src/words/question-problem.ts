import type { ApiError } from '../api/client.ts';
import { i18n } from './index.ts';

/** Why a question has no answer, in words: a cut line must not look like an empty answer. */
export function questionProblem(error: ApiError): string {
  return error.status === 0 ? i18n.global.t('problems.unasked') : error.message;
}
