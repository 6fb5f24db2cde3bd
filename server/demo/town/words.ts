/** Word lists of an invented bilingual country. No name of a real town or person is meant. */

/** How a Russian adjective ends for a feminine, a masculine and a neuter noun. */
export const ENDINGS = {
  hard: { f: 'ая', m: 'ый', n: 'ое' },
  stressed: { f: 'ая', m: 'ой', n: 'ое' },
  soft: { f: 'яя', m: 'ий', n: 'ее' },
  velar: { f: 'ая', m: 'ий', n: 'ое' },
  animal: { f: 'ья', m: 'ий', n: 'ье' },
} as const;
export type Ending = keyof typeof ENDINGS;
export type Gender = 'f' | 'm' | 'n';

/** English word, Russian stem, ending. */
export const ADJECTIVES: readonly (readonly [string, string, Ending])[] = [
  ['Linden', 'Липов', 'hard'], ['Garden', 'Садов', 'hard'], ['Forest', 'Лесн', 'stressed'], ['Field', 'Полев', 'stressed'], ['Evening', 'Вечерн', 'soft'], ['Morning', 'Утренн', 'soft'],
  ['Birch', 'Берёзов', 'hard'], ['Maple', 'Кленов', 'hard'], ['Oak', 'Дубов', 'hard'], ['Pine', 'Соснов', 'hard'], ['Willow', 'Ивов', 'hard'], ['Rowan', 'Рябинов', 'hard'], ['Cherry', 'Вишнёв', 'hard'], ['Apple', 'Яблонев', 'hard'],
  ['River', 'Речн', 'stressed'], ['Lake', 'Озёрн', 'hard'], ['Spring', 'Весенн', 'soft'], ['Summer', 'Летн', 'soft'], ['Autumn', 'Осенн', 'soft'], ['Winter', 'Зимн', 'soft'], ['Northern', 'Северн', 'hard'], ['Southern', 'Южн', 'hard'],
  ['Eastern', 'Восточн', 'hard'], ['Western', 'Западн', 'hard'], ['Sunny', 'Солнечн', 'hard'], ['Quiet', 'Тих', 'velar'], ['Starry', 'Звёздн', 'hard'], ['Lunar', 'Лунн', 'hard'], ['Rainbow', 'Радужн', 'hard'], ['Clear', 'Ясн', 'hard'],
  ['Mill', 'Мельничн', 'hard'], ['Smithy', 'Кузнечн', 'hard'], ['Potter', 'Гончарн', 'hard'], ['Weaver', 'Ткацк', 'velar'], ['Copper', 'Медн', 'hard'], ['Silver', 'Серебрян', 'hard'], ['Amber', 'Янтарн', 'hard'], ['Stone', 'Каменн', 'hard'],
  ['Brick', 'Кирпичн', 'hard'], ['Glass', 'Стекольн', 'hard'], ['Bakery', 'Хлебн', 'hard'], ['Butter', 'Маслян', 'hard'], ['Honey', 'Медов', 'hard'], ['Berry', 'Ягодн', 'hard'], ['Heather', 'Вересков', 'hard'], ['Fern', 'Папоротников', 'hard'],
  ['Lilac', 'Сиренев', 'hard'], ['Jasmine', 'Жасминов', 'hard'], ['Chestnut', 'Каштанов', 'hard'], ['Poplar', 'Тополин', 'hard'], ['Ash', 'Ясенев', 'hard'], ['Alder', 'Ольхов', 'hard'], ['Juniper', 'Можжевелов', 'hard'], ['Cedar', 'Кедров', 'hard'],
  ['Station', 'Вокзальн', 'hard'], ['Railway', 'Железнодорожн', 'hard'], ['Depot', 'Деповск', 'stressed'], ['Factory', 'Заводск', 'stressed'], ['Workshop', 'Цехов', 'stressed'], ['Harbour', 'Портов', 'hard'], ['Bridge', 'Мостов', 'stressed'], ['Ferry', 'Паромн', 'hard'],
  ['School', 'Школьн', 'hard'], ['Library', 'Библиотечн', 'hard'], ['Theatre', 'Театральн', 'hard'], ['Hospital', 'Больничн', 'hard'], ['Market', 'Рыночн', 'hard'], ['Trade', 'Торгов', 'hard'], ['Post', 'Почтов', 'hard'], ['Observatory', 'Обсерваторн', 'hard'],
  ['Upper', 'Верхн', 'soft'], ['Lower', 'Нижн', 'soft'], ['Middle', 'Средн', 'soft'], ['Old', 'Стар', 'hard'], ['New', 'Нов', 'hard'], ['Long', 'Длинн', 'hard'], ['Short', 'Коротк', 'velar'], ['Wide', 'Широк', 'velar'],
  ['Steep', 'Крут', 'stressed'], ['Winding', 'Извилист', 'hard'], ['Green', 'Зелён', 'hard'], ['White', 'Бел', 'hard'], ['Blue', 'Син', 'soft'], ['Golden', 'Золот', 'stressed'], ['Scarlet', 'Ал', 'hard'], ['Bright', 'Светл', 'hard'],
  ['Fisher', 'Рыбацк', 'velar'], ['Hunter', 'Охотнич', 'animal'], ['Pilot', 'Лётн', 'hard'], ['Tram', 'Трамвайн', 'hard'], ['Coach', 'Ямск', 'stressed'], ['Cavalry', 'Кавалерийск', 'velar'], ['Guard', 'Караульн', 'hard'], ['Fire', 'Пожарн', 'hard'],
  ['Crane', 'Журавлин', 'hard'], ['Swan', 'Лебедин', 'hard'], ['Nightingale', 'Соловьин', 'hard'], ['Swift', 'Стрижин', 'hard'], ['Falcon', 'Соколин', 'hard'], ['Owl', 'Совин', 'hard'], ['Fox', 'Лис', 'animal'], ['Beaver', 'Бобров', 'hard'],
  ['Meadow', 'Лугов', 'stressed'], ['Hill', 'Холмист', 'hard'], ['Valley', 'Долинн', 'hard'], ['Brook', 'Ручьев', 'stressed'], ['Well', 'Колодезн', 'hard'], ['Marsh', 'Болотн', 'hard'], ['Sand', 'Песчан', 'hard'], ['Clay', 'Глинян', 'hard'],
  ['Peace', 'Мирн', 'hard'], ['Friendly', 'Дружн', 'hard'], ['Happy', 'Счастлив', 'hard'], ['Festive', 'Праздничн', 'hard'], ['Student', 'Студенческ', 'velar'], ['Builder', 'Строительн', 'hard'], ['Doctor', 'Врачебн', 'hard'], ['Sport', 'Спортивн', 'hard'],
];

/** Beginnings and ends of invented surnames: Latin, Russian; the ends with the Russian genitive. */
export const SURNAME_STARTS: readonly (readonly [string, string])[] = [
  ['Vel', 'Вел'], ['Mar', 'Мар'], ['Zor', 'Зор'], ['Lut', 'Лут'], ['Bor', 'Бор'], ['Kal', 'Кал'], ['Tam', 'Там'], ['Ryb', 'Рыб'], ['Sol', 'Сол'], ['Grem', 'Грем'], ['Dub', 'Дуб'], ['Hol', 'Хол'], ['Yar', 'Яр'], ['Pav', 'Пав'], ['Nez', 'Нез'],
  ['Lis', 'Лис'], ['Stav', 'Став'], ['Orl', 'Орл'], ['Vetr', 'Ветр'], ['Klim', 'Клим'], ['Beres', 'Берес'], ['Rad', 'Рад'], ['Mir', 'Мир'], ['Sver', 'Свер'], ['Tal', 'Тал'],
];
export const SURNAME_MIDDLES: readonly (readonly [string, string])[] = [
  ['an', 'ан'], ['et', 'ет'], ['im', 'им'], ['ol', 'ол'], ['un', 'ун'], ['ad', 'ад'], ['en', 'ен'], ['ich', 'ич'], ['ok', 'ок'], ['av', 'ав'], ['it', 'ит'], ['or', 'ор'], ['al', 'ал'], ['uz', 'уз'], ['el', 'ел'], ['ash', 'аш'],
];
export const SURNAME_ENDS: readonly (readonly [string, string])[] = [['ov', 'ова'], ['in', 'ина'], ['sky', 'ского'], ['enko', 'енко'], ['evich', 'евича'], ['yan', 'яна']];

export const STREET_NOUNS = {
  street: { en: 'Street', ru: 'улица', gender: 'f' },
  lane: { en: 'Lane', ru: 'переулок', gender: 'm' },
  close: { en: 'Close', ru: 'тупик', gender: 'm' },
  avenue: { en: 'Avenue', ru: 'проспект', gender: 'm' },
  boulevard: { en: 'Boulevard', ru: 'бульвар', gender: 'm' },
  embankment: { en: 'Embankment', ru: 'набережная', gender: 'f' },
  square: { en: 'Square', ru: 'площадь', gender: 'f' },
  highway: { en: 'Road', ru: 'шоссе', gender: 'n' },
  passage: { en: 'Way', ru: 'проезд', gender: 'm' },
  village: { en: 'Street', ru: 'улица', gender: 'f' },
} as const satisfies Record<string, { en: string; ru: string; gender: Gender }>;

export const TOWN_STARTS: readonly (readonly [string, string])[] = [['Belo', 'Бело'], ['Yasno', 'Ясно'], ['Olkho', 'Ольхо'], ['Tikho', 'Тихо'], ['Zvono', 'Звоно'], ['Lipo', 'Липо'], ['Vereso', 'Вересо']];
export const TOWN_ENDS: readonly (readonly [string, string])[] = [['most', 'мост'], ['brod', 'брод'], ['varsk', 'варск'], ['rechensk', 'реченск'], ['plyos', 'плёс'], ['gorsk', 'горск']];

/** English noun, Russian noun, gender. */
export const VILLAGE_NOUNS: readonly (readonly [string, string, Gender])[] = [
  ['Hollow', 'Лог', 'm'], ['Reach', 'Плёс', 'm'], ['Clearing', 'Поляна', 'f'], ['Mound', 'Бугор', 'm'], ['Spinney', 'Роща', 'f'], ['Ford', 'Брод', 'm'], ['Ravine', 'Балка', 'f'], ['Farmstead', 'Хутор', 'm'], ['Spring', 'Криница', 'f'], ['Sedge', 'Осока', 'f'],
];

/** District names by where they lie. */
export const DISTRICTS = {
  centre: { en: 'Old Town', ru: 'Старый город' },
  /** Anticlockwise from the north-east. */
  around: [
    { en: 'Brickworks', ru: 'Кирпичный завод' }, { en: 'Northgate', ru: 'Северные ворота' }, { en: 'Windmills', ru: 'Ветряки' },
    { en: 'Overwater', ru: 'Заречье' }, { en: 'Southbank', ru: 'Южный берег' }, { en: 'Appleyards', ru: 'Яблоневые сады' },
  ],
} as const;

export const RIVER = { en: 'Meluza', ru: 'Мелуза' };
export const LAKE = { en: 'Loon Lake', ru: 'Гагарье озеро' };
