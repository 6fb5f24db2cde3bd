import { ref } from 'vue';

/** Files that are dragged onto an element. `depth` is over 0 while the pointer holds some over it. */
export function useFileDrop(mayTake: () => boolean, take: (files: readonly File[]) => void) {
  /** Over how many of its parts: browsers tell of each that the pointer enters and leaves. */
  const depth = ref(0);
  const bringsFiles = (event: DragEvent) => mayTake() && event.dataTransfer?.types.includes('Files') === true;
  function onDrag(event: DragEvent, by: 1 | -1 | 0) {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    depth.value = Math.max(0, depth.value + by);
  }
  function onDrop(event: DragEvent) {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    depth.value = 0;
    take([...event.dataTransfer!.files]);
  }
  return { depth, onDrag, onDrop };
}
