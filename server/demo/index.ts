export { fillDemo, type DemoOptions, type DemoRooms } from './fill.ts';
export { DEMO_LOGINS, type DemoLogin } from './fill/people.ts';
export { drawTown } from './town/draw-town.ts';
