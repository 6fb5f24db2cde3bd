import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { publication, record } from '../../unit/exchange/warnings/documents.ts';
import { atomOf as atom, HOUR, iso, WarnedStation } from './warned-station.ts';

const control = new WarnedStation();
const { now, follow, lookAgain } = control;

describe('the roads of a message', () => {
  const [lon, lat] = [0, 1].map((index) => () => (control.box[index]! + control.box[index + 2]!) / 2) as [
    () => number,
    () => number,
  ];
  const display = () =>
    `<groupOfLocations xsi:type="Point"><pointByCoordinates><pointCoordinates><latitude>${lat()}</latitude><longitude>${lon()}</longitude></pointCoordinates></pointByCoordinates></groupOfLocations>`;
  const until = (time: number) =>
    `<validityStatus>active</validityStatus><validityTimeSpecification><overallEndTime>${iso(time)}</overallEndTime></validityTimeSpecification>`;
  const end = Math.floor(Date.now() / 1000) * 1000 + HOUR;
  const closed = (fields: object = {}) => publication(record({ location: display(), validity: until(end), ...fields }));
  const closures = async () =>
    (
      (await control.at.ok('GET', '/closures', { as: control.viewer })) as {
        id: number;
        name: string;
        till: number;
        factor: number;
      }[]
    ).map(({ id, name, till, factor }) => ({ id, name, till, factor }));

  test('are closed when a dispatcher accepts, follow the message when it changes, and are lifted', async () => {
    control.feeds.documents.set('/roads', closed());
    const { id } = await follow('/roads');
    const [warning] = await eventually(async () => {
      const all = await now();
      expect(all).toHaveLength(1);
      return all;
    });
    expect(warning!.proposal).toMatchObject({ state: 'open', closureIds: [], factor: 0 });
    const path = `/warnings/${warning!.id}/closures`;
    expect((await control.at.ask('POST', path, { as: control.viewer, body: {} })).status).toBe(403);
    const accepted = await control.at.ok('POST', path, { as: control.dispatcher, body: {} });
    const [closureId] = accepted.proposal.closureIds;
    expect(accepted.proposal).toMatchObject({ state: 'accepted', over: false, changed: false });
    expect(await closures()).toEqual([{ id: closureId, name: 'Burst water main', till: end, factor: 0 }]);
    control.feeds.documents.set('/roads', closed({ validity: until(end + HOUR) }));
    await lookAgain(id);
    expect((await now())[0]!.proposal).toMatchObject({ state: 'accepted', changed: true });
    await control.at.ok('POST', path, { as: control.dispatcher, body: {} });
    expect(await closures()).toEqual([{ id: closureId, name: 'Burst water main', till: end + HOUR, factor: 0 }]);
    // It is over for its publisher: the closure stands until somebody lifts it.
    control.feeds.documents.set('/roads', publication(''));
    await lookAgain(id);
    expect((await now())[0]!.proposal).toMatchObject({ state: 'accepted', over: true });
    expect((await control.at.ask('DELETE', path, { as: control.dispatcher })).status).toBe(200);
    expect(await closures()).toEqual([]);
    expect(await now()).toEqual([]);
  });

  test('are left alone when somebody declines; a closure that is lifted by hand may be made again', async () => {
    control.feeds.documents.set('/roads', closed());
    await follow('/roads');
    const warning = await eventually(async () => (await now())[0]!.id);
    const path = `/warnings/${warning}/closures`;
    expect((await control.at.ok('DELETE', path, { as: control.dispatcher })).proposal.state).toBe('declined');
    const { proposal } = await control.at.ok('POST', path, { as: control.dispatcher, body: { factor: 0.3 } });
    expect(await closures()).toMatchObject([{ factor: 0.3 }]);
    await control.at.ask('DELETE', `/closures/${proposal.closureIds[0]}`, { as: control.dispatcher });
    expect((await now())[0]!.proposal).toMatchObject({ state: 'open', closureIds: [] });
    const both = await Promise.all([1, 2].map(() => control.at.ok('POST', path, { as: control.dispatcher, body: {} })));
    expect(both[0].proposal.closureIds).toEqual(both[1].proposal.closureIds);
    expect(await closures()).toHaveLength(1);
  });

  test('between two ends are those that the router finds', async () => {
    const [west, south, east, north] = control.box;
    const place = (share: number) => ({ lat: south + (north - south) * share, lon: west + (east - west) * share });
    const point = ({ lat: y, lon: x }: { lat: number; lon: number }) =>
      `<pointCoordinates><latitude>${y}</latitude><longitude>${x}</longitude></pointCoordinates>`;
    const location = `<groupOfLocations xsi:type="Linear"><tpegLinearLocation><to>${point(place(0.55))}</to><from>${point(place(0.45))}</from></tpegLinearLocation></groupOfLocations>`;
    control.feeds.documents.set('/roads', closed({ location }));
    await follow('/roads');
    const id = await eventually(async () => (await now())[0]!.id);
    await control.at.ok('POST', `/warnings/${id}/closures`, { as: control.dispatcher, body: {} });
    const [closure] = await control.at.ok('GET', '/closures', { as: control.viewer });
    expect(closure.geometry.coordinates.length).toBeGreaterThan(4);
    expect(
      (
        await control.at.ok('POST', '/closures/preview', {
          as: control.dispatcher,
          body: { geometry: closure.geometry },
        })
      ).length,
    ).toBeGreaterThan(100);
  });

  test('of our own alerts come back as what they are', async () => {
    const key = await control.at.ok('POST', '/closures', {
      as: control.dispatcher,
      body: { name: 'Bridge', geometry: { type: 'Point', coordinates: [lon(), lat()] }, till: end },
    });
    const cap = (await control.at.ask('GET', `/alerts/${key.id}.cap`, { as: control.viewer })).text;
    control.feeds.documents.set('/alerts.atom', atom('/a.cap')).set('/a.cap', cap);
    await follow('/alerts.atom');
    await eventually(async () =>
      expect(await now()).toMatchObject([
        { texts: [{ headline: 'Bridge', event: 'Road closed' }], till: end, proposal: { factor: 0, state: 'open' } },
      ]),
    );
  });
});
