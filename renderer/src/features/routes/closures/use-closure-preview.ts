import { onScopeDispose, shallowRef, watch } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import { crossesItself, geometryOf, isWhole, type Drawing } from '../../../map/draw/draw-geometry.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { latestOnly } from '../../../lib/api/latest-only.ts';

/** The roads under a drawing; without metres: it touches none. */
export interface ClosurePreview {
  readonly length: number;
  /** Whether the current user may save it; `limit`: kilometres of road that every user may close who closes roads. */
  readonly allowed: boolean;
  readonly limit: number;
  readonly roads: readonly { readonly name: string; readonly length: number }[];
  readonly lines: { readonly coordinates: readonly (readonly (readonly [lon: number, lat: number])[])[] };
}

/** The roads that a closure would affect, while it is drawn. Undefined: not known. */
export function useClosurePreview(drawing: () => Drawing | undefined) {
  const { client } = useSession();
  const preview = shallowRef<ClosurePreview>();
  const ask = (drawn: Drawing) =>
    client.ask<ClosurePreview>('/closures/preview', { method: 'POST', body: { geometry: geometryOf(drawn) } });
  const put = latestOnly(
    ask,
    (answer) => (preview.value = answer),
    () => (preview.value = undefined),
  );
  watch(
    () => JSON.stringify(drawing()),
    () => {
      const drawn = drawing();
      preview.value = undefined;
      put(drawn && isWhole(drawn) && !crossesItself(drawn) ? drawn : undefined);
    },
    { immediate: true },
  );
  onScopeDispose(() => put(undefined));

  /** Asks once more, before it is saved. A station that cannot tell does not keep anybody from saving. */
  async function askOnce(drawn: Drawing): Promise<ClosurePreview | undefined> {
    try {
      return await ask(drawn);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }

  return { preview, askOnce };
}
