import { UNIT, shrink } from './metres.ts';

/** More than there are cells of a metre or more around the equator. */
const CELLS_A_ROW = 1e8;

/** The number of a point's cell in a grid whose cells are so many metres wide. 1e-7 degrees. */
export function cellOf(lon: number, lat: number, width: number): number {
  return cellInRow(lon, rowOf(lat, width), width);
}

/** The point's own cell and those around it: everything within the width of a cell is in one of them. */
export function cellsAround(lon: number, lat: number, width: number): number[] {
  const row = rowOf(lat, width);
  return [row - 1, row, row + 1].flatMap((y) => {
    const cell = cellInRow(lon, y, width);
    return [cell - 1, cell, cell + 1];
  });
}

function rowOf(lat: number, width: number): number {
  return Math.floor((lat * UNIT) / width);
}

function cellInRow(lon: number, row: number, width: number): number {
  // The scale of a row of cells is that of its own latitude, the same for all points in it.
  return Math.floor((lon * UNIT * shrink((row * width) / UNIT)) / width) + row * CELLS_A_ROW;
}
