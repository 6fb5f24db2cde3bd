/** Colours for drawings, by their saved name. Red is reserved for alarms. */
export const DRAWN_COLOURS = ['', 'normal', 'abnormal', 'busy', 'scene', 'quiet'] as const;

const tokenOf = (name: string) =>
  `--${name !== '' && (DRAWN_COLOURS as readonly string[]).includes(name) ? name : 'accent'}`;

/** The CSS colour of a saved name; of one that is not known here the usual one. */
export const cssColour = (name: string) => `var(${tokenOf(name)})`;

/** The colour in the current palette, for canvases. */
export const resolvedColour = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(tokenOf(name)).trim();
