import { computed } from 'vue';
import type { Shape } from '../../../../../shared/geo/shapes.ts';
import { useFleetRecords } from '../../../lib/replica/use-records.ts';
import type { DrawnZone } from '../../../map/layers/zone-layer.ts';
import { usePreferences } from '../../../lib/stores/preferences.ts';
import { resolvedColour } from '../colours.ts';
import { useVersionsNow } from '../versions/use-versions-now.ts';

/**
 * Metres to either side in which a planned route is drawn; its corridor is wider and would hide the streets.
 */
const ROUTE_WIDTH = 8;

/**
 * Geozones and planned routes to show on the map, in the colours of the current palette. Zones of the same
 * name and place, as several organizations have them, are shown once.
 */
export function useShownZones() {
  const preferences = usePreferences();
  const zones = useFleetRecords('geozone');
  const routes = useFleetRecords('route');
  const versionNow = useVersionsNow();
  return computed<readonly DrawnZone[]>(() => {
    void preferences.palette;
    const drawn = zones.current.value
      .filter((zone) => zone.view)
      .map((zone) => ({
        shape: versionNow(zone).shape as Shape,
        name: versionNow(zone).name,
        colour: resolvedColour(zone.color),
        chosen: false,
      }));
    const once = [...new Map(drawn.map((zone) => [JSON.stringify([zone.name, zone.shape]), zone])).values()];
    const ways = routes.current.value
      .filter((route) => route.view)
      .map((route) => ({
        shape: { kind: 'corridor', line: versionNow(route).line, width: ROUTE_WIDTH } as Shape,
        name: versionNow(route).name,
        colour: resolvedColour(route.color),
        chosen: false,
      }));
    return [...once, ...ways];
  });
}
