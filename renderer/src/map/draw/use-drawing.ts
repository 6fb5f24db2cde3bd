import type L from 'leaflet';
import { onScopeDispose, readonly, ref, shallowReadonly, shallowRef, watch, type Ref } from 'vue';
import { useLocale } from '../../lib/i18n/index.ts';
import { nothingDrawn, type Drawing, type DrawKind } from './draw-geometry.ts';
import { DrawTool, type DrawOptions } from './draw-tool.ts';
import type { Ink } from '../ink.ts';

/** Drawing on a map, one shape at a time, as state for a page. The tool goes with the component. */
export function useDrawing(
  map: Ref<L.Map | undefined>,
  ink: Ref<Ink>,
  extra: { readonly onLeave?: () => void; readonly refine?: DrawOptions['refine'] } = {},
) {
  const { t } = useLocale();
  /** The current drawing; undefined without one. It follows a drag. */
  const drawing = shallowRef<Drawing>();
  const adding = ref(false);
  const canUndo = ref(false);
  const canRedo = ref(false);
  let tool: DrawTool | undefined;

  function begin(kind: DrawKind): void {
    edit(nothingDrawn(kind));
  }

  /** Starts editing a shape; an incomplete one is drawn further. */
  function edit(start: Drawing): void {
    stop();
    if (!map.value) return;
    tool = new DrawTool(map.value, start, ink.value, {
      onChange: show,
      onLeave: () => (extra.onLeave ?? stop)(),
      nameOf: (handle, place) => t(`drawing.${handle}`, { place }),
      ...(extra.refine && { refine: extra.refine }),
    });
    show(start);
  }

  function show(now: Drawing): void {
    drawing.value = now;
    adding.value = tool?.adding ?? false;
    canUndo.value = tool?.canUndo ?? false;
    canRedo.value = tool?.canRedo ?? false;
  }

  function stop(): void {
    tool?.remove();
    tool = undefined;
    drawing.value = undefined;
    adding.value = canUndo.value = canRedo.value = false;
  }

  watch(ink, (now) => tool?.recolour(now));
  onScopeDispose(stop);

  return {
    drawing: shallowReadonly(drawing),
    adding: readonly(adding),
    canUndo: readonly(canUndo),
    canRedo: readonly(canRedo),
    begin,
    edit,
    stop,
    /** Puts another shape in place of this one, as a step that can be taken back. */
    change: (next: Drawing) => tool?.change(next),
    /** While it is locked nothing is changed by hand; it is still shown. */
    lock: (locked: boolean) => tool?.lock(locked),
    finish: () => tool?.finish(),
    resume: () => tool?.resume(),
    undo: () => tool?.undo(),
    redo: () => tool?.redo(),
  };
}
