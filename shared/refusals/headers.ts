import { readReason, refusalEntry, type Reason } from './reason.ts';

/** Headers of a refusal, for programs: its code, and its parameters as percent-encoded JSON. */
export const CODE_HEADER = 'Waypost-Refusal';
export const PARAMS_HEADER = 'Waypost-Refusal-Params';

/** Longest parameters in a header, encoded. Longer ones are left out. */
const LONGEST = 4_000;

export function refusalHeaders({ code, params }: Reason): Readonly<Record<string, string>> {
  const encoded = encodeURIComponent(JSON.stringify(params));
  return {
    [CODE_HEADER]: code,
    ...(encoded !== '%7B%7D' && encoded.length <= LONGEST && { [PARAMS_HEADER]: encoded }),
  };
}

/** Reads the headers of an answer; undefined: it has none, or those of a newer station. */
export function reasonOfHeaders(get: (name: string) => string | null | undefined): Reason | undefined {
  const code = get(CODE_HEADER);
  if (code == null || !refusalEntry(code)) return undefined;
  try {
    return readReason({ code, params: JSON.parse(decodeURIComponent(get(PARAMS_HEADER) ?? '{}')) as unknown });
  } catch {
    return undefined;
  }
}
