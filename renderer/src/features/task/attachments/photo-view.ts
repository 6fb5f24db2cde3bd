/**
 * How a photo lies in its frame: `scale` 1 fits it in; `x`, `y` are pixels that its middle is moved from the
 * middle of the frame.
 */
export interface PhotoView {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const FITTED: PhotoView = { scale: 1, x: 0, y: 0 };
const MOST = 12;

/**
 * Zoomed by `factor` around a point of the frame, given from its middle, which stays where it is. Never
 * smaller than fitted.
 */
export function zoomed(view: PhotoView, factor: number, at = { x: 0, y: 0 }): PhotoView {
  const scale = Math.min(MOST, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  return scale === 1 ? FITTED : { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/**
 * Moved by pixels, but never so far that nothing of it is left in the frame's middle. `fitted` is its size at
 * scale 1.
 */
export function movedView(
  view: PhotoView,
  by: { x: number; y: number },
  fitted: { width: number; height: number },
): PhotoView {
  const within = (value: number, size: number) =>
    Math.min((size * view.scale) / 2, Math.max((-size * view.scale) / 2, value));
  return view.scale === 1
    ? view
    : { ...view, x: within(view.x + by.x, fitted.width), y: within(view.y + by.y, fitted.height) };
}
