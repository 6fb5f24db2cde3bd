import type { VehicleKind } from '../../../../shared/records/index.ts';

/** Outlines of vehicle kinds on a 20-unit square, for lists and map symbols. */
export const GLYPHS: Readonly<Record<VehicleKind['glyph'], string>> = {
  truck:
    'M2 5h9v9H2zM11 8h4l3 3v3h-7M6 16.5a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM14.5 16.5a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  flame: 'M10 2.5c.8 3 4.5 4.8 4.5 9a4.5 4.5 0 0 1-9 0c0-1.8.9-3 1.8-3.9.2 1.4.8 2.1 1.5 2.3-.3-2.6.1-5.2 1.2-7.4z',
  ladder: 'M6 2.5v15M14 2.5v15M6 6h8M6 10h8M6 14h8',
  cross: 'M8 3h4v5h5v4h-5v5H8v-5H3V8h5z',
  shield: 'M10 2.5l6.5 2.3v5c0 4-2.8 6.4-6.5 7.7-3.7-1.3-6.5-3.7-6.5-7.7v-5z',
  wrench: 'M13.5 3.2a4 4 0 0 0-4.3 5.6L3 15l2 2 6.2-6.2a4 4 0 0 0 5.6-4.3L14.3 9l-2.3-.5-.5-2.3z',
  drop: 'M10 2.5s5.5 5.8 5.5 9.5a5.5 5.5 0 0 1-11 0c0-3.7 5.5-9.5 5.5-9.5z',
  hook: 'M8 2.5h4M10 2.5v7a4 4 0 1 1-4 4',
  snow: 'M10 2.5v15M3.5 6.25l13 7.5M3.5 13.75l13-7.5',
};
