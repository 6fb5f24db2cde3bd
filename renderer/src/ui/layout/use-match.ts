import { onScopeDispose, readonly, ref, type Ref } from 'vue';

/** Whether a media query holds, such as `(max-height: 800px)`. */
export function useMatch(query: string): Readonly<Ref<boolean>> {
  const media = matchMedia(query);
  const holds = ref(media.matches);
  const onChange = () => (holds.value = media.matches);
  media.addEventListener('change', onChange);
  onScopeDispose(() => media.removeEventListener('change', onChange));
  return readonly(holds);
}
