import type { Task } from '../../../../shared/records/index.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import type { SendStep } from './send-step.ts';

/** The outcome of sending, as a label and as a sentence. */
export function useStepWords() {
  const { t } = useLocale();
  const kindOf = (step: SendStep) => (step.kind === 'busy' && step.onScene ? 'busyThere' : step.kind);
  function words(step: SendStep, vehicle: { readonly name: string }, task: Task) {
    const other = step.kind === 'busy' ? step.with : task;
    return { vehicle: vehicle.name, id: task.id, title: task.title, other: other.id, otherTitle: other.title };
  }
  return {
    short: (step: SendStep, vehicle: { readonly name: string }, task: Task) =>
      t(`units.drop.${kindOf(step)}`, words(step, vehicle, task)),
    sentence: (step: SendStep, vehicle: { readonly name: string }, task: Task) =>
      t(`units.refused.${kindOf(step)}`, words(step, vehicle, task)),
  };
}
