import type { IDockviewPanel } from 'dockview-vue';
import type { InjectionKey } from 'vue';

/** Opens the sheet of what can be done with a panel. */
export const OPEN_SHEET: InjectionKey<(panel: IDockviewPanel) => void> = Symbol('open-sheet');
