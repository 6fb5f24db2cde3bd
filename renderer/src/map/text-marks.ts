import L from 'leaflet';
import './text-marks.css';

interface TextIcon {
  readonly className: string;
  /** Pixels: width, height. */
  readonly size: readonly [number, number];
  /** The text of the icon; without it the icon is empty. */
  readonly text?: string;
  readonly textClass?: string;
}

/** An icon with a text in it. Leaflet would take a text for HTML. */
export function textIcon({ className, size, text, textClass }: TextIcon): L.DivIcon {
  return L.divIcon({
    className: `text-icon ${className}`,
    iconSize: [...size],
    ...(text !== undefined && { html: textElement(text, textClass) }),
  });
}

/** Writes a name on a layer of the map. Leaflet would take a text for HTML. */
export function nameOn<Named extends L.Layer>(layer: Named, name: string, options: L.TooltipOptions): Named {
  return layer.bindTooltip(textElement(name), options);
}

function textElement(text: string, className = ''): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
