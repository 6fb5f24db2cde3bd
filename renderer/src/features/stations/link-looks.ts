import type { Look } from '../../ui/design/tones.ts';
import type { LinkItemState } from './answers.ts';

/** How the state of a link looks: never red, which is for emergencies. */
export const LINK_LOOKS: Readonly<Record<LinkItemState, Look>> = {
  synced: { tone: 'normal', shape: 'circle', filled: true },
  behind: { tone: 'abnormal', shape: 'triangle', filled: true },
  unreachable: { tone: 'abnormal', shape: 'triangle', filled: false },
  paused: { tone: 'quiet', shape: 'square', filled: false },
  refused: { tone: 'abnormal', shape: 'cross', filled: false },
};
export const ALONE_LOOK: Look = { tone: 'quiet', shape: 'circle', filled: false };
