import { readCorner, type DisplayCorner } from '../../../shared/bridge.ts';
import { readMarks, type KeptPreset } from './presets/follow-presets.ts';

/** An arrangement of the board's panels that a person has named. */
export interface BoardLayout extends KeptPreset {
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
  return [{ id, name, content, ...readMarks(stored) }];
}

/** Panels that an arrangement has in windows of their own. */
export function windowsOf(content: string): PanelName[] {
  const { windows } = JSON.parse(content) as { windows?: unknown };
  return Array.isArray(windows) ? PANEL_NAMES.filter((name) => windows.includes(name)) : [];
}

/** The display of each of those windows, as far as it is known. */
export type PanelDisplays = Partial<Record<PanelName, DisplayCorner>>;
export function displaysOf(content: string): PanelDisplays {
  const { displays } = JSON.parse(content) as { displays?: Partial<Record<PanelName, unknown>> };
  return Object.fromEntries(
    windowsOf(content).flatMap((name) => {
      const corner = readCorner(displays?.[name]);
      return corner ? [[name, corner]] : [];
    }),
  );
}

/** Shares of the board that differ by less are those of another window's size. */
const SAME_SHARE = 0.03;
interface GroupState {
  readonly views?: readonly string[];
  readonly activeView?: string;
}
interface GridNode {
  readonly data?: readonly GridNode[] | GroupState;
  readonly size?: number;
}
interface Arrangement {
  readonly grid: { readonly root?: GridNode; readonly orientation?: string };
  readonly floatingGroups?: readonly { readonly data?: GroupState }[];
}
interface Branch {
  readonly share: number;
  /** The names of the panels of a group, or the branches beside or below each other. */
  readonly parts: string | readonly Branch[];
  readonly isAcross: boolean;
}

/**
 * Whether two arrangements are the same to a person: the panels in the same places with about the same shares of the
 * board, whatever its size, and their windows on the same displays. Panels of windows do not count where they are
 * folded in.
 * @param front whether it counts which tab is in front
 */
export function isSameArrangement(one: string, other: string, front = false): boolean {
  if (one === other) return true;
  if (!isContent(one) || !isContent(other) || windowsOf(one).join() !== windowsOf(other).join()) return false;
  if (placesOf(one) !== placesOf(other)) return false;
  const away = new Set<string>(windowsOf(one));
  const groupOf = ({ views = [], activeView = '' }: GroupState): string => {
    const tabs = views.filter((name) => !away.has(name));
    return tabs.join() + (front && tabs.length > 1 && tabs.includes(activeView) ? `/${activeView}` : '');
  };
  const shapes = [one, other].map((text) => {
    const { grid, floatingGroups = [] } = JSON.parse(text) as Arrangement;
    return {
      root: branchOf(grid.root, groupOf, grid.orientation === 'HORIZONTAL'),
      floats: floatingGroups.map(({ data }) => groupOf(data ?? {})).join(';'),
    };
  });
  return shapes[0]!.floats === shapes[1]!.floats && isSameBranch(shapes[0]!.root, shapes[1]!.root);
}

function placesOf(content: string): string {
  const displays = displaysOf(content);
  return windowsOf(content)
    .map((name) => (displays[name] ? `${displays[name].left} ${displays[name].top}` : ''))
    .join();
}

/** Without empty groups; a branch with one child is replaced by it. */
function branchOf(
  node: GridNode | undefined,
  groupOf: (group: GroupState) => string,
  isAcross: boolean,
  share = 1,
): Branch | undefined {
  if (!node?.data) return undefined;
  if (!isList(node.data)) {
    const parts = groupOf(node.data);
    return parts === '' ? undefined : { share, parts, isAcross: false };
  }
  const whole = node.data.reduce((sum, { size = 0 }) => sum + size, 0) || 1;
  const parts = node.data.flatMap((child) => branchOf(child, groupOf, !isAcross, (child.size ?? 0) / whole) ?? []);
  return parts.length < 2 ? parts[0] && { ...parts[0], share } : { share, parts, isAcross };
}
const isList = (data: readonly GridNode[] | GroupState): data is readonly GridNode[] => Array.isArray(data);

function isSameBranch(one: Branch | undefined, other: Branch | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.isAcross !== other.isAcross || Math.abs(one.share - other.share) > SAME_SHARE) return false;
  const [parts, others] = [one.parts, other.parts];
  if (typeof parts === 'string' || typeof others === 'string') return parts === others;
  return parts.length === others.length && parts.every((part, index) => isSameBranch(part, others[index]));
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
