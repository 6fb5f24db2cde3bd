export { PastBoard, type PastAlarm, type PastCrew, type PastView } from './past-board.ts';
