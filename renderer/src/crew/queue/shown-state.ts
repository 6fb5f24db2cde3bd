import { ACKNOWLEDGED } from '../../../../shared/fleet/unit-status.ts';
import type { Schema } from '../../lib/api/operations.ts';
import type { Kept } from './action-queue.ts';

export type ShownState = Schema<'CrewState'>;
export type ShownTask = Schema<'CrewTask'>;

/** The state that the crew sees: the station's, with waiting actions applied. */
export function shownState(state: ShownState, kept: readonly Kept[]): ShownState {
  return kept.filter(({ refused }) => !refused).reduce(after, state);
}

type ShownMessage = ShownState['messages'][number];

/** A message that was read or answered here is not new, even before the station knows. */
function withMark(message: ShownMessage, mark: 'delivered' | 'read' | 'answered', at: number): ShownMessage {
  return {
    ...message,
    deliveredAt: message.deliveredAt ?? at,
    readAt: mark === 'delivered' ? message.readAt : (message.readAt ?? at),
    answeredAt: mark === 'answered' ? (message.answeredAt ?? at) : message.answeredAt,
  };
}

function after(state: ShownState, { action, at }: Kept): ShownState {
  const change = (taskId: number, next: (task: ShownTask) => ShownTask): ShownState => ({
    ...state,
    tasks: state.tasks.map((task) => (task.id === taskId ? next(task) : task)),
  });
  switch (action.kind) {
    case 'status':
      return { ...state, status: action.status, statusSince: at };
    case 'accept':
      return {
        ...change(action.taskId, (task) => ({ ...task, acknowledgedAt: task.acknowledgedAt ?? at })),
        status: ACKNOWLEDGED,
        statusSince: at,
      };
    case 'giveBack':
      return { ...state, tasks: state.tasks.filter(({ id }) => id !== action.taskId) };
    case 'receipt':
      return {
        ...state,
        messages: state.messages.map((message) =>
          action.ids.includes(message.id) ? withMark(message, action.mark, at) : message,
        ),
      };
    case 'comment':
    case 'say':
    case 'file':
      return state; // They are listed with their own mark.
  }
}
