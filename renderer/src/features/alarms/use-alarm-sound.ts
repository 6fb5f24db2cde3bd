import { onScopeDispose, watch } from 'vue';
import { useSession } from '../../lib/stores/session.ts';
import { AlarmSounder } from './alarm-sound.ts';
import { useAlarms } from './alarms.ts';

/** Sounds the most urgent unacknowledged alarm on every page, and returns the way to silence it. */
export function useAlarmSound(): { silence(): Promise<unknown> } {
  const session = useSession();
  const alarms = useAlarms();
  const sounder = new AlarmSounder();
  watch(
    () => (session.user ? alarms.heard : undefined),
    (priority) => sounder.sound(priority),
    { immediate: true },
  );
  onScopeDispose(() => sounder.sound(undefined));
  return { silence: () => (session.user && alarms.heard !== undefined ? alarms.silence() : Promise.resolve()) };
}
