import { CODE_HEADER, PARAMS_HEADER } from '../../../../shared/refusals/headers.ts';
import type { Reason } from '../../../../shared/refusals/reason.ts';
import type { Language } from '../../../../shared/text/language.ts';

/** The station's answer to a page of a telephone. `status` 0: it could not be reached. */
export interface StationAnswer<T = unknown> {
  readonly status: number;
  readonly value?: T;
  readonly sentence: string;
  readonly reason?: Reason | undefined;
}

/** ms to wait for an answer. The question for news of the state waits 25 s by itself. */
const PATIENCE = 40_000;

/** Asks the station, for the pages that telephones load. A cookie may say whose telephone it is. Never rejects. */
export async function requestStation<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: object | Blob,
  { signal, patience = PATIENCE }: { readonly signal?: AbortSignal; readonly patience?: number } = {},
): Promise<StationAnswer<T>> {
  const isFile = body instanceof Blob;
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]),
      ...(body && {
        headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
        body: isFile ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok)
      return {
        status: response.status,
        sentence: text || response.statusText,
        reason: reasonOf(response.headers),
      };
    return { status: response.status, sentence: '', ...(text !== '' && { value: JSON.parse(text) as T }) };
  } catch {
    return { status: 0, sentence: '' };
  }
}

/** Like `reasonOfHeaders`, without the sentences of all refusals, which a telephone loads only for Russian. */
function reasonOf(headers: Headers): Reason | undefined {
  const code = headers.get(CODE_HEADER);
  if (code === null) return undefined;
  const params = JSON.parse(decodeURIComponent(headers.get(PARAMS_HEADER) ?? '{}')) as Reason['params'];
  return { code, params } as Reason;
}

/** A refusal in the language of the page. English sentences come from the station. */
export async function refusalSentence(
  { sentence, reason }: Pick<StationAnswer, 'sentence' | 'reason'>,
  language: Language,
): Promise<string> {
  if (language !== 'ru' || !reason) return sentence;
  const { ru: texts } = await import('../i18n/refusal-texts.ts');
  const [room = '', name = ''] = reason.code.split('.');
  const text = (texts as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>)[room]?.[name];
  return text?.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(reason.params[param] ?? '')) ?? sentence;
}
