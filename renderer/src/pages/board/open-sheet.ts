import type { IDockviewPanel } from 'dockview-vue';
import type { InjectionKey } from 'vue';

/** Opens the sheet with the actions on a panel. */
export const OPEN_SHEET: InjectionKey<(panel: IDockviewPanel) => void> = Symbol('open-sheet');
