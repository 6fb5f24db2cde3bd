import type { Task } from '../../../../shared/records/index.ts';

/** The title of a task beside its address: many titles end with it. */
export function shortTitle({ title, address }: Pick<Task, 'title' | 'address'>): string {
  return address && title.endsWith(`, ${address}`) ? title.slice(0, -address.length - 2) : title;
}
