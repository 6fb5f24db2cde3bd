import type { EventItem } from '../../lib/api/types.ts';
import type { Look } from '../../ui/design/tones.ts';

const STOP = 1;
const LOST = 2;

/**
 * The look of an event on a track: the shape is its type, the colour whether it is important. Never red,
 * because an event is not an alarm.
 */
export function eventLook(event: Pick<EventItem, 'eventId' | 'notifiable'>): Look {
  if (event.eventId === STOP) return { tone: 'quiet', shape: 'square', filled: true };
  // a cross is an implausible position
  if (event.eventId === LOST) return { tone: 'quiet', shape: 'circle', filled: false };
  return event.notifiable
    ? { tone: 'abnormal', shape: 'triangle', filled: true }
    : { tone: 'busy', shape: 'diamond', filled: true };
}
