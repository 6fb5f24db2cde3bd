/** Icons of Mapbox Maki (CC0), 15 by 15. A chunk of their own: a map from afar shows none. */
export const POI_ICON_FILES = import.meta.glob<string>(
  '../../../../../node_modules/@mapbox/maki/icons/{airport,attraction,bank,bar,barrier,bus,cafe,campsite,car-repair,castle,charging-station,cinema,college,defibrillator,doctor,embassy,fast-food,ferry,fire-station,fuel,grocery,harbor,heliport,hospital,landmark,library,lighthouse,lodging,monument,mountain,museum,park,parking,pharmacy,pitch,place-of-worship,police,post,prison,rail,rail-light,rail-metro,residential-community,restaurant,school,shop,stadium,theatre,toilet,town-hall,veterinary,viewpoint,water}.svg',
  { query: '?raw', import: 'default', eager: true },
);
