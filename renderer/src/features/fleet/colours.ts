/**
 * Colours that may be chosen for what is drawn, by the name that is saved. Red is not among them: it is for
 * alarms.
 */
export const DRAWN_COLOURS = ['', 'normal', 'abnormal', 'busy', 'scene', 'quiet'] as const;

const tokenOf = (name: string) =>
  `--${name !== '' && (DRAWN_COLOURS as readonly string[]).includes(name) ? name : 'accent'}`;

/** The CSS colour of a saved name; of one that is not known here the usual one. */
export const cssColour = (name: string) => `var(${tokenOf(name)})`;

/** The same as it is in the palette of the moment, for what is drawn and not styled. */
export const resolvedColour = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(tokenOf(name)).trim();
