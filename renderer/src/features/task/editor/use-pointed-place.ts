import type { Point } from 'geojson';
import { ApiError } from '../../../lib/api/client.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useSketch } from '../../../lib/stores/sketch.ts';
import { useLocale } from '../../../lib/i18n/index.ts';

interface PointedPlace {
  readonly point: { readonly lon: number; readonly lat: number; readonly zoom: number };
  /** The nearest address, or undefined nearby or the station cannot be reached. */
  readonly address: string | undefined;
}

/** The zoom at which a place that was pointed at is looked at. */
const POINTED_ZOOM = 17;

/** Lets the user point at a place on the map. `done` gets the point at once, and again with its address. */
export function usePointedPlace(done: (place: PointedPlace) => void) {
  const { client } = useSession();
  const sketch = useSketch();
  const { t, locale } = useLocale();
  const title = () => t('task.place.pick');

  async function take({ coordinates: [lon = 0, lat = 0] }: Point): Promise<void> {
    const point = { lon, lat, zoom: POINTED_ZOOM };
    done({ point, address: undefined });
    const query = { lon, lat, lang: locale.value };
    try {
      done({ point, address: (await client.request('get', '/geocoding/reverse', { params: { query } })).label });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the point says enough
    }
  }

  return {
    /** As if the user had pointed there. */
    take: (lat: number, lon: number) => take({ type: 'Point', coordinates: [lon, lat] }),
    pick: () =>
      sketch.ask({ kind: 'point', start: undefined, title: title(), done: (geometry) => void take(geometry as Point) }),
    picking: () => sketch.wish?.title === title(),
  };
}
