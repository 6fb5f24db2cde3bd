/** The colour schemes of the console, in the order in which the key P switches them. */
export const PALETTES = ['day', 'dusk', 'night'] as const;
export type Palette = (typeof PALETTES)[number];
