import { onScopeDispose, ref, watch, type Ref } from 'vue';
import type { Track } from './track.ts';

export const PLAYBACK_RATES = [1, 5, 15, 30, 60] as const;
export type PlaybackRate = (typeof PLAYBACK_RATES)[number];

/** A time that runs through a track at a chosen speed. It skips gaps without data. */
export function useTrackPlayback(track: Ref<Track | undefined>) {
  /** epoch ms */
  const at = ref<number>();
  const playing = ref(false);
  const pace = ref<PlaybackRate>(15);
  let frame = 0;
  let last = 0;

  function step(now: number): void {
    const passed = (now - last) * pace.value;
    last = now;
    const end = track.value?.till;
    if (at.value === undefined || end === undefined) return stop();
    const next = at.value + passed;
    at.value = Math.min(end, track.value!.gapAt(next)?.till ?? next);
    if (at.value >= end) return stop();
    frame = requestAnimationFrame(step);
  }

  function play(): void {
    const { from, till } = track.value ?? {};
    if (from === undefined || till === undefined) return;
    if (at.value === undefined || at.value >= till || at.value < from) at.value = from;
    playing.value = true;
    last = performance.now();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(step);
  }

  function stop(): void {
    playing.value = false;
    cancelAnimationFrame(frame);
  }

  watch(track, (now) => {
    stop();
    at.value = now?.from;
  });
  onScopeDispose(stop);
  return { at, playing, pace, play, stop, toggle: () => (playing.value ? stop() : play()) };
}
