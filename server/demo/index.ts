export { drawTown } from './town/draw-town.ts';
