import type { Detector } from './detector.ts';

/** Beyond this time (ms) between two headings they show a journey, not a turn. */
const TOGETHER = 60_000;

/** Type 3: the heading changes between two points while driving; while standing, a heading is noise. */
export const turn: Detector<null> = {
  name: 'turn',
  start: null,
  lasting: () => [],
  step(state, point, previous, { settings }, report) {
    if (
      !previous ||
      !point.fixed ||
      point.time - previous.time > TOGETHER ||
      Math.min(point.speed, previous.speed) <= settings.turnSpeed
    )
      return state;
    const change = ((point.direction - previous.direction + 540) % 360) - 180;
    if (Math.abs(change) <= settings.turnAngle) return state;
    const angle = Math.round(change);
    report({
      type: 3,
      subject: '',
      from: previous.time,
      until: point.time,
      lat: point.lat,
      lon: point.lon,
      info: `${Math.abs(angle)}° to the ${angle > 0 ? 'right' : 'left'}`,
      data: { angle },
    });
    return state;
  },
};
