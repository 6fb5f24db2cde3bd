/** Colours that may be chosen for what is drawn, by the name that is saved. Red is not among them: it is for alarms. */
export const DRAWN_COLOURS = ['', 'normal', 'abnormal', 'busy', 'scene', 'quiet'] as const;

/** The CSS colour of a saved name; of one that is not known here the usual one. */
export const cssColour = (name: string) => `var(--${name !== '' && (DRAWN_COLOURS as readonly string[]).includes(name) ? name : 'accent'})`;
