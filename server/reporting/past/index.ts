export { PastBoard, type PastAlarm, type PastCrew, type PastView, type StatusTimes } from './past-board.ts';
