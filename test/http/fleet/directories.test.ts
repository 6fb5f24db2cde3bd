import { expect, test } from 'vitest';
import { photo, useFleetDesk } from './fleet-desk.ts';

const desk = useFleetDesk();
const { ask, done, refusal, upload, picture } = desk;

test('makers and models: shapes, filters, count, a maker with models stays', async () => {
  const mark = await done('POST', '/cars/marks', { name: 'Kamaz' });
  const other = await done('POST', '/cars/marks', { name: 'Gaz' });
  const model = await done('POST', '/cars/models', {
    name: '43118',
    markId: mark.id,
    expenseOn100km: 33.5,
    maxTank: 350,
    motohoursStop: 0.5,
  });
  expect(model).toEqual({
    id: model.id,
    name: '43118',
    expenseOn100km: 33.5,
    maxTank: 350,
    motohoursStop: 0.5,
    motohoursMove: null,
    markId: mark.id,
    mark: { id: mark.id, name: 'Kamaz' },
  });
  const gazelle = await done('POST', '/cars/models', {
    name: 'Gazelle',
    markId: other.id,
    expenseOn100km: 12,
    maxTank: 64,
  });
  const { mark: _mark, ...listed } = model;
  expect(await done('GET', `/cars/models?mark=${mark.id}`)).toEqual([listed]);
  expect(await done('GET', '/cars/marks?name=KAM')).toEqual([mark]);
  expect((await done('GET', '/cars/models?name=GAZ')).map(({ id }: { id: number }) => id)).toEqual([gazelle.id]);
  expect((await done('GET', '/cars/models?expenseOn100km=33.5&maxTank=350&motohoursStop=0.5')).length).toBe(1);
  expect((await done('GET', `/cars/models?mark=${mark.id},${other.id}&motohoursMove=1`)).length).toBe(0);
  expect((await ask('GET', `/cars/models/count?mark=${other.id}`)).text).toBe('1');
  expect(await done('GET', `/cars/marks/${mark.id}/models`)).toEqual([listed]);
  expect(await done('PUT', `/cars/models/${model.id}`, { motohoursStop: null, maxTank: 400 })).toMatchObject({
    name: '43118',
    motohoursStop: null,
    maxTank: 400,
    expenseOn100km: 33.5,
  });
  expect(await refusal('DELETE', `/cars/marks/${mark.id}`)).toEqual([400, 'Kamaz still has models.']);
  const vehicle = await done('POST', '/cars', { name: 'Truck 1', modelId: model.id, markId: mark.id });
  expect(vehicle.carInfo.model).toMatchObject({ id: model.id, maxTank: 400, mark: { name: 'Kamaz' } });
  expect((await ask('DELETE', `/cars/models/${model.id}`)).text).toBe('');
  expect((await ask('DELETE', `/cars/models/${model.id}`)).status).toBe(404);
  expect((await ask('GET', `/cars/marks/999/models`)).status).toBe(404);
  await done('DELETE', `/cars/marks/${mark.id}`);
  expect((await done('PUT', `/cars/${vehicle.id}`, { notes: 'still of its model' })).modelId).toBe(model.id);
  expect((await refusal('POST', '/cars/models', { name: 'x', markId: 999 }))[0]).toBe(400);
  expect((await refusal('POST', '/cars/models', { name: 'x', markId: other.id, maxTank: -1 }))[0]).toBe(400);
  expect((await refusal('POST', '/cars/models', { name: 'x', markId: other.id }, desk.dispatcher.token))[0]).toBe(403);
});

test('groups are their organisation’s, tags everybody’s', async () => {
  const group = await done('POST', '/cars/groups', { name: 'Winter', organizationId: desk.roads.id, notes: 'n' });
  expect(group).toEqual({
    id: group.id,
    name: 'Winter',
    notes: 'n',
    extGroup: '',
    view: true,
    organizationId: desk.roads.id,
  });
  const mine = await done('POST', '/cars/groups', { name: 'Duty' });
  expect(
    (await done('GET', '/cars/groups', undefined, desk.roadsAdmin.token)).map(({ id }: { id: number }) => id),
  ).toEqual([group.id]);
  expect((await ask('GET', `/cars/groups/${mine.id}`, undefined, desk.roadsAdmin.token)).status).toBe(404);
  expect((await ask('PUT', `/cars/groups/${mine.id}`, { name: 'x' }, desk.roadsAdmin.token)).status).toBe(404);
  expect(
    (await refusal('PUT', `/cars/groups/${group.id}`, { organizationId: desk.home }, desk.roadsAdmin.token))[0],
  ).toBe(403);
  expect(await refusal('PUT', `/cars/groups/${group.id}`, { organizationId: 999 })).toEqual([
    400,
    'The organisation 999 does not exist.',
  ]);
  expect([
    await done('GET', '/cars/groups?name=WIN'),
    await done('GET', `/cars/groups?organizations=${desk.roads.id}`),
  ]).toEqual([[group], [group]]);
  expect((await refusal('PUT', `/cars/groups/${mine.id}`, { name: 'x' }, desk.dispatcher.token))[0]).toBe(403);
  const tag = await done('POST', '/cars/tags', { name: 'Crane', color: 'blue' });
  const vehicle = await done('POST', '/cars', { name: 'Truck 2', groupId: mine.id, tagsIds: [tag.id] });
  expect(vehicle).toMatchObject({
    group: { id: mine.id, name: 'Duty' },
    tags: [{ id: tag.id, name: 'Crane', color: 'blue' }],
  });
  expect(await done('GET', '/cars/tags', undefined, desk.roadsAdmin.token)).toEqual([tag]);
  await done('DELETE', `/cars/tags/${tag.id}`);
  expect((await ask('GET', `/cars/tags/${tag.id}`)).status).toBe(404);
});

test('drivers: list shape, detail, filters, one key for one driver', async () => {
  const driver = await done('POST', '/drivers', {
    fio: ' Пётр Ильин ',
    phone: '+7 900',
    notes: 'night',
    orgId: desk.roads.id,
  });
  expect(driver).toEqual({
    id: driver.id,
    fio: 'Пётр Ильин',
    phone: '+7 900',
    notes: 'night',
    hasPhoto: false,
    orgId: desk.roads.id,
  });
  const anna = await done('POST', '/drivers', { fio: 'Anna Berg', wire: 'KEY-1', extId: 'E1' });
  expect(anna.orgId).toBe(desk.home);
  expect(await done('GET', `/drivers/${anna.id}`)).toEqual({ ...anna, wire: 'KEY-1', extId: 'E1' });
  expect(await done('GET', `/drivers?fio=${encodeURIComponent('ИЛЬ')}`)).toEqual([driver]);
  expect(await done('GET', '/drivers?wire=KEY-1&hasPhoto=false')).toEqual([anna]);
  expect([
    await done('GET', '/drivers?extId=E1'),
    await done('GET', '/drivers?notes=NIGHT'),
    await done('GET', '/drivers?phone=900'),
    await done('GET', '/drivers?hasPhoto=true'),
  ]).toEqual([[anna], [driver], [driver], []]);
  expect(await done('GET', `/drivers?organizations=${desk.roads.id}`)).toEqual([driver]);
  expect(await done('GET', '/drivers/all')).toEqual([driver, anna]);
  expect(await done('GET', '/drivers/all', undefined, desk.roadsAdmin.token)).toEqual([driver]);
  expect((await ask('GET', `/drivers/${anna.id}`, undefined, desk.roadsAdmin.token)).status).toBe(404);
  expect(await refusal('PUT', `/drivers/${driver.id}`, { wire: 'KEY-1' })).toEqual([
    400,
    'wire KEY-1 belongs to another driver.',
  ]);
  expect(await refusal('POST', '/drivers', { fio: ' ' })).toEqual([400, 'fio is missing.']);
  expect((await refusal('POST', '/drivers', { phone: '1' }))[0]).toBe(400);
  expect((await refusal('POST', '/drivers', { fio: 'x', orgId: 999 }))[0]).toBe(400);
  expect(await done('PUT', `/drivers/${driver.id}`, { notes: null, phone: '1' })).toMatchObject({
    phone: '1',
    notes: 'night',
  });
  expect((await refusal('DELETE', `/drivers/${anna.id}`, undefined, desk.dispatcher.token))[0]).toBe(403);
  expect((await ask('DELETE', `/drivers/${anna.id}`)).text).toBe('');
  expect((await ask('GET', `/drivers/${anna.id}`)).status).toBe(404);
  expect(await done('PUT', `/drivers/${driver.id}`, { wire: 'KEY-1' })).toMatchObject({ id: driver.id });
});

test('pictures of vehicles and drivers come as PNG, whole and small, and go away', async () => {
  const vehicle = await done('POST', '/cars', {
    name: 'Truck 3',
    pic: await upload(await photo(400, 200), 'truck.jpg'),
  });
  expect(vehicle.hasPic).toBe(true);
  expect(await picture(`/cars/${vehicle.id}/pic`)).toEqual({ status: 200, type: 'image/png', width: 400, height: 200 });
  expect(await picture(`/cars/${vehicle.id}/thumb`)).toEqual({
    status: 200,
    type: 'image/png',
    width: 160,
    height: 80,
  });
  expect((await picture(`/cars/${vehicle.id}/pic`, desk.roadsAdmin.token)).status).toBe(404);
  expect(
    await done('PUT', `/cars/${vehicle.id}/pic`, { fileName: await upload(await photo(80, 80), 'b.jpg') }),
  ).toEqual({
    message: 'ok',
    status: 200,
  });
  expect(await picture(`/cars/${vehicle.id}/pic`)).toMatchObject({ width: 80, height: 80 });
  expect((await refusal('PUT', `/cars/${vehicle.id}/pic`, { fileName: 'nothing.png' }))[0]).toBe(400);
  expect(
    (
      await refusal('PUT', `/cars/${vehicle.id}/pic`, { fileName: await upload(Buffer.from('no picture'), 'a.txt') })
    )[0],
  ).toBe(400);
  expect((await refusal('PUT', `/cars/999/pic`, { fileName: 'x' }))[0]).toBe(404);
  expect((await ask('DELETE', `/cars/${vehicle.id}/pic`)).text).toBe('');
  expect((await picture(`/cars/${vehicle.id}/pic`)).status).toBe(404);
  expect((await refusal('DELETE', `/cars/${vehicle.id}/pic`))[0]).toBe(404);
  const driver = await done('POST', '/drivers', { fio: 'Ivan' });
  expect((await picture(`/drivers/${driver.id}/photo`)).status).toBe(404);
  await done('PUT', `/drivers/${driver.id}/photo`, { fileName: await upload(await photo(300, 400), 'ivan.jpg') });
  expect(await picture(`/drivers/${driver.id}/photo`)).toEqual({
    status: 200,
    type: 'image/png',
    width: 300,
    height: 400,
  });
  expect(await done('GET', '/drivers?hasPhoto=true')).toMatchObject([{ id: driver.id, hasPhoto: true }]);
  await done('DELETE', `/drivers/${driver.id}/photo`);
  expect((await done('GET', `/drivers/${driver.id}`)).hasPhoto).toBe(false);
});

test('icons: everybody’s and an organisation’s own, who may change them, and their view', async () => {
  const icon = await done('POST', '/dictionary/icons', {
    name: 'Truck',
    uuid: await upload(await photo(48, 32), 'truck.jpg'),
  });
  expect(icon).toEqual({ id: icon.id, name: 'Truck', width: 48, height: 32 });
  const own = await done(
    'POST',
    '/dictionary/icons',
    { name: 'Plough', uuid: await upload(await photo(20, 20), 'p.jpg', desk.roadsAdmin.token) },
    desk.roadsAdmin.token,
  );
  expect(await done('GET', '/dictionary/icons', undefined, desk.roadsAdmin.token)).toEqual([
    { ...icon, ownerOrganizationId: null },
    { ...own, ownerOrganizationId: desk.roads.id },
  ]);
  expect(await done('GET', '/dictionary/icons/editable', undefined, desk.roadsAdmin.token)).toEqual([
    { ...own, ownerOrganizationId: desk.roads.id },
  ]);
  expect((await refusal('PUT', `/dictionary/icons/${icon.id}`, { name: 'x' }, desk.roadsAdmin.token))[0]).toBe(403);
  expect((await refusal('GET', '/dictionary/icons', undefined, desk.dispatcher.token))[0]).toBe(403);
  expect(await picture(`/dictionary/icons/${icon.id}/view`, desk.dispatcher.token)).toEqual({
    status: 200,
    type: 'image/jpeg',
    width: 48,
    height: 32,
  });
  expect(
    await done(
      'PUT',
      `/dictionary/icons/${own.id}`,
      { id: own.id, name: 'Snow plough', uuid: await upload(await photo(24, 24), 'q.jpg', desk.roadsAdmin.token) },
      desk.roadsAdmin.token,
    ),
  ).toEqual({ id: own.id, name: 'Snow plough', width: 24, height: 24 });
  expect(await done('DELETE', `/dictionary/icons/${own.id}`)).toEqual({ delete: true });
  expect((await ask('GET', `/dictionary/icons/${own.id}/view`)).status).toBe(404);
  expect(
    (
      await refusal('POST', '/dictionary/icons', { name: 'big', uuid: await upload(await photo(2000, 10), 'r.jpg') })
    )[0],
  ).toBe(400);
  expect((await refusal('POST', '/dictionary/icons', { name: 'x', uuid: 'nothing' }))[0]).toBe(400);
});

test('a vehicle takes an icon of the dictionary only when it is there', async () => {
  const icon = await done('POST', '/dictionary/icons', {
    name: 'Bus',
    uuid: await upload(await photo(32, 32), 'bus.jpg'),
  });
  const vehicle = await done('POST', '/cars', { name: 'Drawn 1', iconStandard: false, iconIndex: icon.id });
  expect(vehicle).toMatchObject({ iconStandard: false, iconIndex: icon.id });
  for (const body of [{ iconIndex: 999_999 }, { iconIndex: 999_999, iconStandard: false }])
    expect(await refusal('PUT', `/cars/${vehicle.id}`, body)).toEqual([400, 'iconIndex 999999 does not exist.']);
  expect(await refusal('POST', '/cars', { name: 'Drawn 2', iconStandard: false, iconIndex: 999_999 })).toEqual([
    400,
    'iconIndex 999999 does not exist.',
  ]);
  // The standard icons are the reader's own.
  expect(await done('PUT', `/cars/${vehicle.id}`, { iconStandard: true, iconIndex: 3 })).toMatchObject({
    iconIndex: 3,
  });
  expect((await refusal('PUT', `/cars/${vehicle.id}`, { iconStandard: false, iconIndex: 999_998 }))[0]).toBe(400);
  await done('PUT', `/cars/${vehicle.id}`, { iconStandard: false, iconIndex: icon.id });
  await done('DELETE', `/dictionary/icons/${icon.id}`);
  await done('PUT', `/cars/${vehicle.id}`, { name: 'Drawn on' }); // what it has may stay
});

test('custom fields of vehicles: definitions by format, values on the vehicle', async () => {
  const crane = await done('POST', '/cars/customfields', { name: 'Стрела, м', format: 'float', defaultValue: 12.5 });
  expect(crane).toEqual({
    id: crane.id,
    name: 'Стрела, м',
    translit: 'strela_m',
    format: 'float',
    groupName: '',
    possibleValues: null,
    regexp: null,
    minLength: null,
    maxLength: null,
    isRequired: false,
    defaultValue: 12.5,
    visible: true,
    order: null,
  });
  const kind = await done('POST', '/cars/customfields', {
    name: 'Kind',
    format: 'list',
    possibleValues: ['tipper', 'crane'],
    isRequired: true,
    defaultValue: 'tipper',
    order: 1,
  });
  const code = await done('POST', '/cars/customfields', {
    name: 'Code',
    format: 'string',
    regexp: '^[A-Z]+$',
    minLength: 2,
    maxLength: 4,
  });
  expect((await done('GET', '/cars/customfields')).map(({ translit }: { translit: string }) => translit)).toEqual([
    'kind',
    'strela_m',
    'code',
  ]);
  for (const [body, said] of [
    [{ name: 'x', format: 'int', regexp: 'a' }, /regexp/],
    [{ name: 'x', format: 'date', defaultValue: '2026-01-01' }, /defaultValue/],
    [{ name: 'x', format: 'list' }, /possibleValues/],
    [{ name: 'x', format: 'int', defaultValue: '5' }, /defaultValue must be a number/],
    [{ name: 'x', format: 'geometry' }, /format/],
    [{ name: 'x', format: 'string', minLength: 5, maxLength: 1 }, /minLength/],
    [{ format: 'int' }, /name/],
  ] as const) {
    const [status, text] = await refusal('POST', '/cars/customfields', body);
    expect([status, text], JSON.stringify(body)).toEqual([400, expect.stringMatching(said)]);
  }
  const vehicle = await done('POST', '/cars', { name: 'Truck 4', customFields: { code: 'AB' } });
  expect(vehicle.customFields).toEqual({ kind: 'tipper', strela_m: 12.5, code: 'AB' });
  expect(
    (await done('PUT', `/cars/${vehicle.id}`, { customFields: { strela_m: null, kind: 'crane' } })).customFields,
  ).toEqual({ kind: 'crane', strela_m: null, code: 'AB' });
  expect(await refusal('PUT', `/cars/${vehicle.id}`, { customFields: { code: 'abc' } })).toEqual([
    400,
    'Code does not match the pattern of this field, for example ABC.',
  ]);
  expect((await refusal('PUT', `/cars/${vehicle.id}`, { customFields: { kind: null } }))[0]).toBe(400);
  expect(await refusal('PUT', `/cars/${vehicle.id}`, { customFields: { unknown: 1 } })).toEqual([
    400,
    'customFields.unknown does not exist.',
  ]);
  expect((await refusal('PUT', `/cars/customfields/${code.id}`, { format: 'int' }))[0]).toBe(400);
  expect(await done('PUT', `/cars/customfields/${code.id}`, { ...code, name: 'Codes' })).toEqual({
    ...code,
    name: 'Codes',
  });
  await done('DELETE', `/cars/customfields/${code.id}`);
  expect((await done('GET', `/cars/${vehicle.id}`)).customFields).toEqual({ kind: 'crane', strela_m: null });
  await done('DELETE', `/cars/customfields/${kind.id}`);
  expect((await ask('DELETE', `/cars/customfields/${kind.id}`)).status).toBe(404);
  const again = await done('POST', '/cars/customfields', { name: 'Code', format: 'string' });
  expect(again.translit).toBe('code_2');
  for (const field of [crane, again]) await done('DELETE', `/cars/customfields/${field.id}`);
});

test('every user reads the lists; only administrators write them', async () => {
  const [line, geometry] = [
    {
      type: 'LineString',
      coordinates: [
        [37, 55],
        [37.1, 55.1],
      ],
    },
    { type: 'Point', coordinates: [37, 55] },
  ];
  const bodies = {
    '/cars/marks': { name: 'Ural' },
    '/cars/models': { name: 'M', markId: 1 },
    '/cars/groups': { name: 'G' },
    '/cars/tags': { name: 'T' },
    '/cars/customfields': { name: 'F', format: 'int' },
    '/drivers': { fio: 'D' },
    '/geozones': { name: 'Z', geometry, radius: 50 },
    '/routes': { name: 'R', line },
    '/sensors': { carId: 1, name: 'S', type: 'analog', input: { kind: 'adc', index: 0 } },
  };
  // One of each, too, and what it was.
  const { id: vehicleId } = await done('POST', '/cars', { name: 'Read by all', glonassId: 77_001 });
  for (const [path, more] of [
    ['/drivers', {}],
    ['/geozones', {}],
    ['/routes', {}],
    ['/sensors', { carId: vehicleId }],
  ] as const) {
    const { id } = await done('POST', path, { ...bodies[path], ...more });
    for (const one of path === '/drivers' ? [''] : ['', '/versions'])
      expect((await ask('GET', `${path}/${id}${one}`, undefined, desk.dispatcher.token)).status, path + one).toBe(200);
    await done('DELETE', `${path}/${id}`);
  }
  await done('DELETE', `/cars/${vehicleId}`);
  for (const [path, body] of Object.entries(bodies)) {
    expect((await ask('GET', path, undefined, desk.dispatcher.token)).status, path).toBe(200);
    expect((await ask('POST', path, body, desk.dispatcher.token)).status, path).toBe(403);
    for (const method of ['PUT', 'DELETE'])
      expect(
        (await ask(method, `${path}/1`, method === 'PUT' ? { name: 'x' } : undefined, desk.dispatcher.token)).status,
        `${method} ${path}`,
      ).toBe(403);
  }
});
