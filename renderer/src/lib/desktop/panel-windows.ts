import { PANEL_ROUTES, type PanelName } from '../board-layouts.ts';
import { desktopProgram } from './desktop-notices.ts';

/**
 * Opens the panel's own window, if this computer has another display for it. Browsers name displays only over TLS or
 * at this computer, and open one window for each press: false for others, so that nothing is out of sight.
 */
export function openPanelWindow(name: PanelName): boolean {
  const hasOther = (screen as Screen & { readonly isExtended?: boolean }).isExtended === true;
  return hasOther && openWindowOf(name);
}

/** False where the browser refuses. Again for the same panel it is the same window. */
export function openWindowOf(name: PanelName): boolean {
  const route = `#${PANEL_ROUTES[name]}`;
  const program = desktopProgram();
  if (!program) return window.open(route, `waypost-${name}`, 'popup,width=960,height=720') !== null;
  program.openWindow(route);
  return true;
}
