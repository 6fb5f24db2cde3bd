import type { ReasonCode } from '../../../lib/api/types.ts';
import { useLocale } from '../../../lib/i18n/index.ts';

interface Explained {
  readonly reasonCodes?: readonly ReasonCode[];
  readonly reasons?: readonly string[];
}

/** Words for the reasons against a vehicle, in the operator's language. */
export function useReasonWords() {
  const { t, has, distance } = useLocale();

  function inWords(reason: ReasonCode): string | undefined {
    const key = `reasons.${reason.code}`;
    if (!has(key)) return undefined;
    const status = reason['status'] === undefined ? '' : t(`unitStatus.${reason['status']}`);
    const metres = reason['metres'] === undefined ? '' : distance(Number(reason['metres']));
    return t(key, { ...reason, status, metres });
  }

  /** The station's own text replaces a reason that this console does not know. */
  function reasonsOf({ reasonCodes, reasons = [] }: Explained): string {
    if (!reasonCodes) return reasons.join(', ');
    return reasonCodes
      .map((reason, index) => inWords(reason) ?? reasons[index] ?? '')
      .filter(Boolean)
      .join(', ');
  }
  return { reasonsOf };
}
