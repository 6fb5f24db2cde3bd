import { computed } from 'vue';
import type { FieldChoice } from '../directories/fields.ts';
import { useAccountRecords, useFleetRecords } from '../../lib/replica/use-records.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import { cssColour, DRAWN_COLOURS } from './colours.ts';

/** Choices for the forms of the fleet. */
export function useFleetChoices() {
  const { t, locale } = useLocale();
  const vehicles = useVehicles();
  const organizations = useAccountRecords('organization');
  const groups = useFleetRecords('group');
  const makes = useFleetRecords('make');
  const models = useFleetRecords('model');
  const drivers = useFleetRecords('driver');
  const tags = useFleetRecords('tag');
  const byName = (rows: readonly { readonly id: number; readonly name: string }[]): readonly FieldChoice[] =>
    rows
      .map(({ id, name }) => ({ value: id, text: name }))
      .sort((one, other) => one.text.localeCompare(other.text, locale.value, { numeric: true }));
  const withNone = (choices: readonly FieldChoice[]): readonly FieldChoice[] => [
    { value: 0, text: t('directories.none') },
    ...choices,
  ];
  const nameIn = (rows: readonly { readonly id: number; readonly name: string }[], id: number) =>
    rows.find((row) => row.id === id)?.name ?? '';
  return {
    organizations: computed(() => byName(organizations.current.value)),
    groups: computed(() => withNone(byName(groups.current.value))),
    makes: computed(() => withNone(byName(makes.current.value))),
    models: computed(() => models.current.value),
    drivers: computed(() => byName(drivers.current.value)),
    tags: computed(() => byName(tags.current.value)),
    vehicles: computed(() => vehicles.all.map(({ id, name }) => ({ value: id, text: name }))),
    colours: computed(() =>
      DRAWN_COLOURS.map((name) => ({
        value: name,
        text: t(`fleetDirectories.colours.${name || 'default'}`),
        colour: cssColour(name),
      })),
    ),
    organizationName: (id: number) => nameIn(organizations.current.value, id),
    groupName: (id: number) => nameIn(groups.current.value, id),
    makeName: (id: number) => nameIn(makes.current.value, id),
    modelName: (id: number) => nameIn(models.current.value, id),
    byName,
    withNone,
  };
}
