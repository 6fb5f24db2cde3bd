import type { BaseKind } from './town-facts.ts';

/** An organization of the demo town, its vehicles and its types of work. */
export interface Service {
  readonly name: string;
  readonly login: string;
  readonly chief: string;
  readonly base: BaseKind;
  readonly group: string;
  readonly vehicles: readonly { readonly callSign: string; readonly count: number; readonly model: string }[];
  readonly calls: readonly EmergencyCall[];
}

/** A reason to call. */
export interface EmergencyCall {
  readonly type: string;
  readonly category: 'Emergency' | 'Urgent' | 'Ordinary' | 'Planned';
  readonly en: string;
  readonly ru: string;
  readonly details: { readonly en: string; readonly ru: string };
  /** Minutes at the scene. */
  readonly minutes: number;
}

const call = (
  type: string,
  category: EmergencyCall['category'],
  minutes: number,
  en: string,
  ru: string,
  detailEn: string,
  detailRu: string,
): EmergencyCall => ({ type, category, minutes, en, ru, details: { en: detailEn, ru: detailRu } });

/** Makes and models are invented; litres and litres per 100 km are typical of such vehicles. */
export const MODELS: Readonly<Record<string, { make: string; name: string; litres: number; tank: number }>> = {
  ambulance: { make: 'Nordvan', name: 'Medic 350', litres: 12.4, tank: 80 },
  engine: { make: 'Kolmar', name: 'AC-40', litres: 34, tank: 170 },
  ladder: { make: 'Kolmar', name: 'AL-30', litres: 36, tank: 210 },
  rescue: { make: 'Steppe', name: 'Rescue 4x4', litres: 17.5, tank: 90 },
  van: { make: 'Nordvan', name: 'Cargo 280', litres: 11.2, tank: 75 },
  lift: { make: 'Zubr', name: 'Lift 18', litres: 22, tank: 120 },
  vacuum: { make: 'Zubr', name: 'Vacuum 10', litres: 28, tank: 150 },
  gritter: { make: 'Zubr', name: 'Road 6x4', litres: 31, tank: 200 },
  patrol: { make: 'Steppe', name: 'Patrol', litres: 10.1, tank: 65 },
};

export const SERVICES: readonly Service[] = [
  {
    name: 'Ambulance',
    login: 'ambulance',
    chief: 'Helen Varlet',
    base: 'ambulance',
    group: 'Ambulances',
    vehicles: [{ callSign: 'Medic', count: 12, model: 'ambulance' }],
    calls: [
      call(
        'Medical call',
        'Emergency',
        35,
        'Chest pain, man of 61',
        'Боль в груди, мужчина 61 год',
        'Conscious, sweating. Daughter is with him, second entrance, code 24.',
        'В сознании, потеет. С ним дочь, второй подъезд, код 24.',
      ),
      call(
        'Medical call',
        'Emergency',
        40,
        'Unconscious in the stairwell',
        'Без сознания в подъезде',
        'Breathing. A neighbour waits at the door.',
        'Дышит. Сосед встречает у двери.',
      ),
      call(
        'Medical call',
        'Urgent',
        30,
        'Child with high fever',
        'Ребёнок с высокой температурой',
        'Four years old, 39.8, vomited twice.',
        'Четыре года, 39,8, дважды рвота.',
      ),
      call(
        'Medical call',
        'Urgent',
        35,
        'Fall from a ladder, broken leg',
        'Падение со стремянки, перелом ноги',
        'In the yard behind the house. Gate is open.',
        'Во дворе за домом. Калитка открыта.',
      ),
      call(
        'Medical call',
        'Ordinary',
        25,
        'Transfer to the hospital',
        'Перевозка в больницу',
        'Lies down, third floor, no lift. Two people needed.',
        'Лежачий, третий этаж, лифта нет. Нужны двое.',
      ),
      call(
        'Traffic accident',
        'Emergency',
        45,
        'Cyclist hit by a car',
        'Наезд на велосипедиста',
        'Head wound, conscious. Police are on the way.',
        'Рана головы, в сознании. Полиция едет.',
      ),
    ],
  },
  {
    name: 'Fire and Rescue',
    login: 'firerescue',
    chief: 'Oleg Gremenin',
    base: 'fire',
    group: 'Fire and rescue vehicles',
    vehicles: [
      { callSign: 'Engine', count: 5, model: 'engine' },
      { callSign: 'Ladder', count: 1, model: 'ladder' },
      { callSign: 'Rescue', count: 3, model: 'rescue' },
    ],
    calls: [
      call(
        'Fire',
        'Emergency',
        70,
        'Smoke from a flat on the 4th floor',
        'Дым из квартиры на 4-м этаже',
        'Nobody opens. Neighbours leave the building.',
        'Никто не открывает. Соседи выходят.',
      ),
      call(
        'Fire',
        'Urgent',
        30,
        'Rubbish container on fire',
        'Горит мусорный контейнер',
        'Two metres from parked cars.',
        'В двух метрах от машин.',
      ),
      call(
        'Fire',
        'Urgent',
        50,
        'Shed burning',
        'Горит сарай',
        'Gas bottle inside, says the owner.',
        'Внутри газовый баллон, говорит хозяин.',
      ),
      call(
        'Traffic accident',
        'Emergency',
        60,
        'Two cars collided, one person trapped',
        'Столкновение двух машин, один зажат',
        'Lane towards the centre is blocked.',
        'Полоса в сторону центра перекрыта.',
      ),
      call(
        'Incident',
        'Ordinary',
        25,
        'Lift stuck with two people',
        'Застрял лифт, внутри двое',
        'Between the 6th and the 7th floor, calm.',
        'Между 6-м и 7-м этажом, спокойны.',
      ),
      call(
        'Incident',
        'Ordinary',
        20,
        'Cat in a tree since yesterday',
        'Кот на дереве со вчерашнего дня',
        'About eight metres up.',
        'Высота около восьми метров.',
      ),
    ],
  },
  {
    name: 'Municipal Works',
    login: 'municipal',
    chief: 'Rita Solimova',
    base: 'works',
    group: 'Works vehicles',
    vehicles: [
      { callSign: 'Van', count: 9, model: 'van' },
      { callSign: 'Lift', count: 2, model: 'lift' },
      { callSign: 'Vacuum', count: 2, model: 'vacuum' },
    ],
    calls: [
      call(
        'Water and sewerage',
        'Emergency',
        150,
        'Burst main, water on the road',
        'Прорыв трубы, вода на проезжей части',
        'Water comes up through the asphalt, pressure in the houses is low.',
        'Вода идёт через асфальт, в домах слабый напор.',
      ),
      call(
        'Water and sewerage',
        'Urgent',
        80,
        'Flooded cellar',
        'Затоплен подвал',
        'Knee deep, comes from the drain.',
        'По колено, идёт из канализации.',
      ),
      call(
        'Water and sewerage',
        'Ordinary',
        40,
        'Manhole without a lid',
        'Открытый люк',
        'On the pavement, somebody put a branch into it.',
        'На тротуаре, кто-то воткнул ветку.',
      ),
      call(
        'Electricity',
        'Urgent',
        75,
        'No light in the whole house',
        'Нет света во всём доме',
        'Since half past six, next house has light.',
        'С половины седьмого, в соседнем доме свет есть.',
      ),
      call(
        'Electricity',
        'Ordinary',
        45,
        'Street lamps are out',
        'Не горят фонари',
        'Five in a row, on the even side.',
        'Пять подряд, по чётной стороне.',
      ),
      call(
        'Heating',
        'Urgent',
        110,
        'Cold radiators, building with a kindergarten',
        'Холодные батареи, в здании детский сад',
        'Caretaker has the key to the boiler room.',
        'Ключ от котельной у завхоза.',
      ),
      call(
        'Request',
        'Planned',
        60,
        'Take away fallen branches',
        'Убрать упавшие ветки',
        'After last night’s wind; not on the road.',
        'После ночного ветра; не на дороге.',
      ),
    ],
  },
  {
    name: 'Road Service',
    login: 'roadservice',
    chief: 'Pavel Zoretov',
    base: 'roads',
    group: 'Road vehicles',
    vehicles: [
      { callSign: 'Gritter', count: 4, model: 'gritter' },
      { callSign: 'Patrol', count: 4, model: 'patrol' },
    ],
    calls: [
      call(
        'Roads',
        'Urgent',
        60,
        'Deep hole in the carriageway',
        'Яма на проезжей части',
        'Two cars have lost a tyre already.',
        'Две машины уже пробили колесо.',
      ),
      call(
        'Roads',
        'Urgent',
        35,
        'Oil on the road',
        'Масло на дороге',
        'About thirty metres, before the bend.',
        'Около тридцати метров, перед поворотом.',
      ),
      call(
        'Roads',
        'Ordinary',
        40,
        'Traffic lights flash yellow',
        'Светофор мигает жёлтым',
        'In all directions.',
        'Во всех направлениях.',
      ),
      call(
        'Roads',
        'Ordinary',
        30,
        'Sign lies on the pavement',
        'Знак лежит на тротуаре',
        'Give way sign.',
        'Знак «Уступите дорогу».',
      ),
      call(
        'Transport',
        'Ordinary',
        45,
        'Broken-down bus in the lane',
        'Сломался автобус на полосе',
        'Route 5, passengers have left.',
        'Маршрут 5, пассажиры вышли.',
      ),
      call(
        'Roads',
        'Planned',
        120,
        'Repaint the crossing',
        'Обновить разметку перехода',
        'Near the school, not between 7 and 9.',
        'У школы, не с 7 до 9.',
      ),
    ],
  },
];

export const DRIVERS: readonly string[] = [
  'Anna Belokur',
  'Игорь Тамолов',
  'Martin Reyd',
  'Светлана Лисетова',
  'Peter Holland',
  'Андрей Кламин',
  'Nora Vessel',
  'Марина Соланова',
  'Thomas Brigg',
  'Дмитрий Верунов',
  'Laura Finch',
  'Сергей Рыболов',
  'Victor Orlet',
  'Ольга Миренко',
  'James Carrow',
  'Николай Стававин',
  'Elena Dubadova',
  'Юрий Ветранов',
  'Simon Ashby',
  'Татьяна Клименко',
  'Roman Zoralin',
  'Екатерина Яролова',
  'Mark Tilley',
  'Алексей Незунов',
  'Irene Marlow',
  'Борис Лутанов',
  'Daniel Hobbs',
  'Вера Калетина',
  'Ivan Talimov',
  'Григорий Радоков',
  'Kate Winslow',
  'Павел Сверадов',
  'Oscar Lindley',
  'Надежда Гремина',
  'Lev Boradin',
  'Михаил Дубенко',
  'Sofia Merrit',
  'Константин Велимов',
  'Adam Pryce',
  'Людмила Орлашова',
  'George Stone',
  'Василий Холитов',
  'Maria Pavunova',
  'Артём Солетов',
  'Henry Dale',
  'Галина Тамичева',
  'Philip North',
  'Зоя Марадова',
];

/** Comments on a call in progress. */
export const CALL_COMMENTS = {
  ask: [
    { en: 'Caller asks when somebody will come.', ru: 'Заявитель спрашивает, когда приедут.' },
    { en: 'Second call about the same.', ru: 'Второй звонок о том же.' },
    { en: 'Access from the yard, the front is dug up.', ru: 'Подъезд со двора, с улицы раскопано.' },
  ],
  answer: [
    { en: 'Told them: within the hour.', ru: 'Сказали: в течение часа.' },
    { en: 'Passed on to the crew.', ru: 'Передано бригаде.' },
    { en: 'Called back, nobody answers.', ru: 'Перезвонили, не берут трубку.' },
  ],
  underWay: [
    { en: 'On the way.', ru: 'Выехали.' },
    { en: 'On the way, bridge is slow.', ru: 'В пути, на мосту медленно.' },
  ],
  report: [
    { en: 'Done, nothing left to do here.', ru: 'Сделано, больше ничего не требуется.' },
    { en: 'Made safe. To be finished by the day shift.', ru: 'Опасность устранена. Закончит дневная смена.' },
    { en: 'Handed over on the spot.', ru: 'Передано на месте.' },
    { en: 'False alarm, all quiet.', ru: 'Ложный вызов, всё спокойно.' },
  ],
} as const;
