/** An arrangement of the board's panels that a person has named. */
export interface BoardLayout {
  readonly id: string;
  readonly name: string;
  /** The layout library's own state, as JSON. */
  readonly content: string;
}

/** The panels that can be arranged, each with the page that shows it in a window of its own. */
export const PANEL_ROUTES = {
  queue: '/queue',
  map: '/map',
  card: '/card',
  vehicles: '/vehicles',
  units: '/units',
  log: '/events',
  messages: '/crews',
  logBook: '/shift',
} as const;
export type PanelName = keyof typeof PANEL_ROUTES;
export const PANEL_NAMES = Object.keys(PANEL_ROUTES) as readonly PanelName[];

/** Longer ones are not of this console. */
const MOST_CONTENT = 50_000;

/** A stored layout of another version, or a broken one, is dropped. */
export function readLayout(stored: unknown): BoardLayout[] {
  const { id, name, content } = (stored ?? {}) as Partial<Record<keyof BoardLayout, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string' || !isContent(content)) return [];
  return [{ id, name, content }];
}

/** Whether a text is an arrangement of panels that this console has. */
export function isContent(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > MOST_CONTENT) return false;
  try {
    const { grid, panels } = JSON.parse(text) as { grid?: unknown; panels?: unknown };
    if (typeof grid !== 'object' || grid === null || typeof panels !== 'object' || panels === null) return false;
    return Object.keys(panels).every((name) => Object.hasOwn(PANEL_ROUTES, name));
  } catch {
    return false;
  }
}
