/**
 * What the station says when it refuses, and the same in Russian. Its sentences are a part of its interface
 * and stay as they are, so they serve as keys; `{…}` stands for whatever it fills in, `{number}` for digits.
 * What is said of `{field}` comes without its name, which stands before it, or over it in a form. `{what}` is
 * one of `NOUNS`, `{fault}` another sentence of this list. A test holds that every sentence of the rooms that
 * a console reaches is here.
 */
export const REFUSALS: Readonly<Record<string, string>> = {
  // Rules of fields
  '{field} is missing.': 'нужно заполнить.',
  '{field} (metres) is missing.': 'нужно заполнить, в метрах.',
  '{field} is needed.': 'нужно заполнить.',
  '{field} must not be empty.': 'нужно заполнить.',
  '{field} must be {kind}.': 'должно быть {kind}.',
  '{field} must be at least {least}.': 'не меньше {least}.',
  '{field} must be at most {most}.': 'не больше {most}.',
  '{field} must be from {least} to {most}.': 'от {least} до {most}.',
  '{field} must be from {least} to {most} km/h.': 'от {least} до {most} км/ч.',
  '{field} must be from {least} to {most} metres.': 'от {least} до {most} метров.',
  '{field} must be a whole number from {least} to {most}.': 'целое число от {least} до {most}.',
  '{field} must be a number from {least} to {most}.': 'число от {least} до {most}.',
  '{field} cannot be less than 0.': 'не меньше 0.',
  '{field} must have at least {count} characters.': 'не короче {count} знаков.',
  '{field} must have at most {count} characters.': 'не длиннее {count} знаков.',
  '{field} has at most {count} characters.': 'не длиннее {count} знаков.',
  '{field} must have at least {count} entries.': 'не меньше {count} строк.',
  '{field} must have at most {count} entries.': 'не больше {count} строк.',
  '{field} must be one of {values}.': 'одно из: {values}.',
  '{field} must be one of: {values}.': 'одно из: {values}.',
  '{field} must be some of {values}.': 'из этих: {values}.',
  '{field} has a wrong format.': 'записано не так.',
  '{field} has a wrong type.': 'записано не так.',
  '{field} is wrong.': 'неверно.',
  '{field} is wrong: {fault}.': 'неверно: {fault}.',
  '{field} is not written as this field asks.': 'записано не так, как нужно в этом поле.',
  '{field} is not written as this field asks, for example {example}.':
    'записано не так, как нужно в этом поле. Например: {example}.',
  '{field} is not valid JSON.': 'неверный JSON.',
  '{field} must be GeoJSON: {fault}.': 'должно быть GeoJSON: {fault}.',
  '{field} must be whole numbers separated by commas.': 'целые числа через запятую.',
  '{field} must be Unix time in seconds.': 'время Unix в секундах.',
  '{field} must be a date and time as 2026-12-31 23:59:59+03, or Unix time in seconds.':
    'дата и время, как 2026-12-31 23:59:59+03, или время Unix в секундах.',
  '{field} must not be blank, unless field_from_session names a field of the user.':
    'нужно заполнить, если не выбрано поле сотрудника.',
  '{field} must be = or != for the point.': 'для точки бывает только «=» или «!=».',
  '{field} must be null for the point.': 'для точки значение не задаётся.',
  'value: several values need the sign “in”.': 'Несколько значений бывают только у знака «in».',
  'field: a geometry cannot be compared.': 'Геометрию сравнить нельзя.',
  'field: there is no custom field {name}.': 'Дополнительного поля {name} нет.',
  'field_from_session: {field} cannot be compared with {other}, which is a {kind}.':
    'Поле {field} нельзя сравнить с полем сотрудника {other}.',
  '{field} must be a date and time as 31.12.2026 23:59.': 'дата и время, как 31.12.2026 23:59.',
  '{field} must be a date as 31.12.2026, and not before 1970.': 'дата, как 31.12.2026, не раньше 1970 года.',
  '{field} must be a date, as 2026-03-31 or 31.03.2026.': 'дата, как 31.03.2026.',
  '{field} must be a time as 01:30:00, or seconds.': 'время, как 01:30:00, или секунды.',
  '{field} must be a text of one line.': 'текст в одну строку.',
  '{field} must be small letters, digits and hyphens, at most 40.':
    'строчные латинские буквы, цифры и дефисы, не больше 40.',
  '{field} {number} does not exist.': 'записи {number} нет.',
  '{field}: {number} does not exist.': 'записи {number} нет.',
  '{field} {value} belongs to another vehicle.': '{value} уже у другой машины.',
  '{field}: there is no uploaded file {file}.': 'файл {file} не был отправлен.',
  '{field}: “{name}” is not a picture that can be shown.': '«{name}» не изображение, которое можно показать.',
  '{field}: “{name}” is a picture that cannot be opened.': '«{name}»: изображение не открывается.',
  '{field}: “{name}” is no {what}.': '«{name}»: это не {what}.',
  '{field}: a name has at most {most} characters, a description {longest}.':
    'название не длиннее {most} знаков, описание не длиннее {longest}.',
  '{field}_{part} has {count} entries for {files} {kind}.': 'строк {count}, а файлов {files}.',
  'possible_values are needed for the format list.': 'Для списка нужны его значения.',
  'possible_values cannot be empty texts.': 'Значение списка не может быть пустым.',
  'possible_values name "{value}" twice.': 'Значение «{value}» повторяется.',
  'possibleValues are needed for the format list.': 'Для списка нужны его значения.',
  'possibleValues cannot be empty texts.': 'Значение списка не может быть пустым.',
  'possibleValues name "{value}" twice.': 'Значение «{value}» повторяется.',
  '{attribute} belongs to {formats}, not to {format}.': '{attribute} бывает у {formats}, а не у {format}.',
  'min_length ({least}) is more than max_length ({most}).': 'Наименьшая длина ({least}) больше наибольшей ({most}).',
  'minLength ({least}) is more than maxLength ({most}).': 'Наименьшая длина ({least}) больше наибольшей ({most}).',
  'default_value {fault}': 'Значение по умолчанию: {fault}',
  'defaultValue must be a {kind}.': 'Значение по умолчанию другого вида.',
  'format cannot change: {name} is {format}.': 'Вид поля менять нельзя: {name}, {format}.',
  'format of “{name}” cannot change.': 'Вид поля «{name}» менять нельзя.',
  'regexp: a pattern has at most {count} characters.': 'Шаблон не длиннее {count} знаков.',
  'regexp: {problem}': 'Это не шаблон: {problem}',

  // Geometry
  'a geometry is an object with type and coordinates': 'фигура не имеет вида или координат',
  'collections are nested too deeply': 'фигуры вложены слишком глубоко',
  'a GeometryCollection has an array of geometries': 'в наборе нет фигур',
  'the type of a geometry is Point, LineString, Polygon, their Multi forms or GeometryCollection':
    'такого вида фигур нет',
  'a geometry has at most {count} positions': 'в фигуре не больше {count} точек',
  'a position is an array of longitude and latitude': 'у точки есть долгота и широта',
  'longitude is from -180 to 180, latitude from -90 to 90': 'долгота от -180 до 180, широта от -90 до 90',
  'a ring ends where it begins': 'контур должен замыкаться',
  'a ring has at least 4 positions': 'в контуре не меньше трёх углов',
  'a polygon has a ring': 'у многоугольника нет контура',
  'coordinates are arrays of positions': 'координаты записаны не так',
  'a line has at least 2 positions': 'в линии не меньше двух точек',
  'geometry must be a Point, a LineString or a Polygon.': 'Фигура должна быть точкой, линией или многоугольником.',
  'geometry must be a Polygon, a Point with radius, or a LineString with width.':
    'Фигура должна быть многоугольником, кругом или полосой.',
  'geometry must not reach around half the earth.': 'Фигура не может охватывать половину Земли.',
  'line must be a LineString.': 'Путь должен быть линией.',
  'The geometry has at most {count} positions.': 'В фигуре не больше {count} точек.',
  'The geometry of a closure has at most {count} positions.': 'В фигуре перекрытия не больше {count} точек.',
  'The geometry of a zone has at most {count} positions.': 'В границе зоны не больше {count} точек.',
  'point: the latitude is not between -90 and 90.': 'Широта не между -90 и 90.',
  'point: the longitude is not between -180 and 180.': 'Долгота не между -180 и 180.',
  'lon and lat go together.': 'Широта и долгота нужны вместе.',
  '{lat}, {lon} is no point on the globe.': '{lat}, {lon}: такой точки на Земле нет.',

  // Times
  'from must be earlier than till.': 'Начало должно быть раньше конца.',
  'from must not be later than till.': 'Начало не может быть позже конца.',
  'till must be later than from.': 'Конец должен быть позже начала.',
  'from and till may be 92 days apart at most.': 'Период не длиннее 92 дней.',
  'A report covers a year at most.': 'Отчёт охватывает не больше года.',
  'until must lie ahead.': 'Срок должен быть в будущем.',
  'until must lie within 24 hours.': 'Срок не дальше 24 часов.',
  'expiresAt is in the past.': 'Срок действия уже прошёл.',
  'There is no time zone {zone}.': 'Часового пояса {zone} нет.',
  'parkingAfter must not be shorter than stopAfter.': 'Стоянка не может быть короче остановки.',
  'stopAfter and parkingAfter do not go with what vehicles have of their own: parkingAfter would be shorter than stopAfter for {names}. Change theirs first.':
    'Пороги не сочетаются с собственными порогами машин: стоянка стала бы короче остановки у {names}. Сначала измените их пороги.',

  // People and rights
  'Authorization is required: sign in, or send a valid token.': 'Нужно войти.',
  'The login or the password is wrong.': 'Неверный логин или пароль.',
  'This user has been disabled.': 'Этот пользователь отключён.',
  'The password has been changed.': 'Пароль изменён.',
  'Too many failed sign-ins. Try again in {minutes} min.':
    'Слишком много неудачных попыток входа. Повторите через {minutes} мин.',
  'login must be 1 to 100 characters without spaces.': 'Логин: от 1 до 100 знаков без пробелов.',
  'login {login} is already taken.': 'Логин {login} уже занят.',
  'password is too easy to guess.': 'Пароль слишком легко угадать.',
  'oldPassword is wrong.': 'Прежний пароль неверен.',
  '{name} is the last administrator of this station.': '{name}: последний администратор этой станции.',
  '{holder} still has the right {right}.': 'Роль «{right}» ещё есть у пользователя {holder}.',
  '{name} still has {count} users.': 'В отделе «{name}» ещё есть пользователи: {count}.',
  '{name} still has models.': 'У производителя «{name}» ещё есть модели.',
  '{field}: {name} is disabled.': '{name}: пользователь отключён.',
  'The right {name} is limited by this state.': 'Роль «{name}» ограничена этим состоянием.',
  'This right belongs to another organisation.': 'Эта роль принадлежит другой организации.',
  'The organisation {id} does not exist.': 'Организации {id} нет.',
  'organization {id} does not exist.': 'Организации {id} нет.',
  'states: {capability} concerns no task, so it holds in any state.':
    'Право {capability} не о задачах: состояния к нему не относятся.',
  'capability_id {id} is listed twice.': 'Право {id} указано дважды.',
  'You do not administer {name}.': 'Вы не администратор организации «{name}».',
  'You may not {deed} “{title}”.': 'Вам нельзя {deed} «{title}».',
  'You may not create this message.': 'Вам нельзя создать эту задачу.',
  'You may not attach files to this message.': 'Вам нельзя прикладывать файлы к этой задаче.',
  'You may not answer alarms: it takes the right to change the status of tasks.':
    'Вам нельзя отвечать на тревоги: нужно право менять статус задач.',
  'You may not set the status of crews: it takes the right to change the status of tasks.':
    'Вам нельзя менять статус экипажей: нужно право менять статус задач.',
  'This lies on {length} km of road. Without the right to close more, it may be at most {limit} km.':
    'Здесь {length} км дорог. Без права на широкие перекрытия можно не больше {limit} км.',
  'You may not close roads: it takes the right to edit.': 'Вам нельзя перекрывать дороги: нужно право править.',
  'Only an administrator may do this.': 'Это может только администратор.',
  'Only an administrator may restore a message.': 'Восстановить задачу может только администратор.',
  'Only an administrator may change this {what}.': 'Менять это может только администратор: {what}.',
  'Only an administrator of the organisation may change this {what}.':
    'Менять это может только администратор организации: {what}.',
  'Only an administrator of the organisation may change its vehicles.':
    'Менять машины может только администратор организации.',
  'Only an administrator of the organisation may change the thresholds of its events.':
    'Менять пороги событий может только администратор организации.',
  'Only an administrator of the organisation may change what raises an alarm.':
    'Менять правила тревог может только администратор организации.',
  'Only an administrator of the organisation may say how long its tracks are kept.':
    'Сроки хранения треков задаёт только администратор организации.',
  'Only an administrator who sees every organisation may do this.':
    'Это может только администратор, который видит все организации.',
  'The quarantine is for administrators who see every organisation.': 'Карантин видят администраторы всех организаций.',
  'An access key is ended by an administrator.': 'Ключ доступа отзывает администратор.',
  'There is no access key {id}.': 'Ключа доступа {id} нет.',
  'This access key is not meant for this request.': 'Ключ доступа не для этого запроса.',
  'A page of another site may not send this.': 'Странице другого сайта нельзя это присылать.',
  'A station is set up on its own machine only.': 'Станцию настраивают только на её собственном компьютере.',
  'This station has no enabled administrator.': 'На станции нет действующего администратора.',
  'This station is already set up.': 'Станция уже настроена.',

  // Tasks
  'There is no message {id}.': 'Задачи {id} нет, или она вам не видна.',
  'There is no user {id}.': 'Пользователя {id} нет.',
  'There is no right {id}.': 'Роли {id} нет.',
  'There is no organisation {id}.': 'Организации {id} нет.',
  'There is no vehicle {id}.': 'Машины {id} нет, или она вам не видна.',
  'There is no {what} {id}.': 'Записи {id} нет.',
  'There is no {what}.': 'Такого нет: {what}.',
  'The {what} {id} exists already.': 'Запись {id} уже есть.',
  '{what} does not exist.': 'Такого нет: {what}.',
  'The message has no point.': 'У задачи нет места на карте.',
  'The type {name} is in use by messages.': 'Тип «{name}» занят задачами.',
  '“{title}” is not deleted.': '«{title}» не удалено.',
  '“{name}” was deleted too long ago: its content has been cleared.':
    '«{name}» удалено слишком давно: содержимое стёрто.',
  'A message takes at most {count} attachments at once.': 'За один раз прикладывают не больше {count} файлов.',
  'Message {id} has no {what} {file}.': 'У задачи {id} такого нет: {what} {file}.',
  'Message {id} has no deleted {what} {file}.': 'У задачи {id} нет такого удалённого: {what} {file}.',
  'The message {id} has no photo {file}.': 'У задачи {id} нет фотографии {file}.',
  'photo_main {id} is no photo of the message.': 'Заглавная фотография {id} не из этой задачи.',
  'photo_main {id} is none of the {count} photos sent.': 'Заглавная фотография {id} не из отправленных ({count}).',
  'reference_id {id} is no comment of this message.': 'Комментарий {id} не из этой задачи.',
  'newsAfterId: there is no message {id}.': 'Задачи {id} больше нет: начните список заново.',
  'carsIds: the organisation has no vehicle {id}.': 'Машины {id} нет в организации.',
  'cars: there is no vehicle {id}.': 'Машины {id} нет.',
  '{field}: {name} is on maintenance.': '{name}: машина на обслуживании.',
  '{name} was sent to a task and has not arrived there. Take the task from it first.':
    '{name}: машина послана к задаче и ещё не прибыла. Сначала снимите с неё задачу.',
  '{field}: {name} is out of service.': '{name}: машина выведена из эксплуатации.',
  'custom_fields must be an object keyed by translit, each value an object with field_id and value.':
    'Дополнительные поля записаны не так.',
  'custom_fields: {name} is missing.': 'Дополнительное поле «{name}» нужно заполнить.',
  'custom_fields: {name} is not available for this type.': 'Дополнительного поля «{name}» у этого типа нет.',
  'custom_fields: {name} is the field {id}, not {other}.':
    'Дополнительное поле «{name}» имеет номер {id}, а не {other}.',
  'custom_fields: there is no field {name}.': 'Дополнительного поля «{name}» нет.',
  'customFields.{name} does not exist.': 'Дополнительного поля «{name}» нет.',
  'There is no such custom field.': 'Такого дополнительного поля нет.',
  'The custom field {name} is not deleted.': 'Дополнительное поле «{name}» не удалено.',
  'ids: {id} is named twice.': 'Порядок: {id} указано дважды.',
  'ids: {count} of {all} custom fields are named.':
    'Порядок: указано полей {count} из {all}. Список изменился: посмотрите на него ещё раз.',
  'ids: the custom field {id} is deleted.': 'Порядок: поле {id} удалено.',
  'ids: there is no custom field {id}.': 'Порядок: поля {id} нет.',
  'field: messages have no field {name}.': 'У задач нет поля {name}.',
  'field_from_session: users have no field {name}.': 'У пользователей нет поля {name}.',
  'sign “in” needs a value, not a field of the user.': 'Для «в списке» нужно значение, а не поле пользователя.',

  // Alarms and events
  'There is no alarm {id}.': 'Тревоги {id} нет.',
  'There is no event {id}.': 'События {id} нет.',
  'The alarm is cleared already.': 'Тревога уже снята.',
  'The alarm is on the shelf: take it off first.': 'Тревога отложена: сначала верните её.',
  'An emergency alarm cannot be shelved.': 'Экстренную тревогу отложить нельзя.',
  'reason must not be empty: say why the alarm is put aside.': 'Напишите, почему тревога отложена.',
  'The rule {id} is there twice.': 'Правило {id} указано дважды.',
  'There may be {count} rules at most.': 'Правил не больше {count}.',
  'name of the rule {id} must not be empty.': 'У правила {id} нет названия.',
  'response of the rule {id} must not be empty: an alarm to which nobody can do anything is an event.':
    'У правила {id} не сказано, что делать: на что нельзя ответить, то не тревога, а событие.',
  'Thresholds are being tried already. Wait until that is done.': 'Пороги уже кто-то пробует. Дождитесь конца.',
  'The trial was broken off.': 'Проба прервана.',

  // Fleet
  'carId cannot change: the other vehicle gets a sensor of its own.':
    'Машину датчика менять нельзя: заведите другой машине свой датчик.',
  'calibration must have rising raw values.': 'Показания датчика должны возрастать.',
  'calibration needs two pairs at least, or none.': 'В тарировке не меньше двух строк или ни одной.',
  'calibration has at most {count} pairs.': 'В тарировке не больше {count} строк.',
  'high must be greater than low.': 'Верхняя граница должна быть больше нижней.',
  'input.index of a digital input is from 0 to 31.': 'Номер дискретного входа от 0 до 31.',
  'validFrom is before {time}, from when on the present version holds.':
    'Начало раньше {time}, с которого действует нынешняя версия.',
  'A route has at most {count} control points.': 'У маршрута не больше {count} контрольных точек.',
  'points[{index}].id {id} is not a point of this route, or stands there twice.':
    'Контрольная точка {id} не из этого маршрута или указана дважды.',
  'uuid: an icon has at most {most} pixels to a side, this picture has {width} by {height}.':
    'Значок не больше {most} точек по стороне, а здесь {width} на {height}.',
  'wire {wire} belongs to another driver.': 'Ключ {wire} уже у другого водителя.',
  '{name} has no picture.': '{name}: изображения нет.',

  // Roads and the territory
  'No territory is loaded, so there are no roads to route on.': 'Территория не загружена, дорог нет.',
  'The roads of the territory cannot be read: import it again.': 'Дороги территории не читаются: загрузите её ещё раз.',
  'The places of the territory cannot be read: import it again.':
    'Адреса территории не читаются: загрузите её ещё раз.',
  'A closure needs a name.': 'Перекрытию нужно название.',
  'There is no closure {id}.': 'Перекрытия {id} нет.',
  'A route needs at least two points.': 'Для маршрута нужны хотя бы две точки.',
  '{count} points were given; at most {most} are allowed.': 'Точек {count}, а можно не больше {most}.',
  'There is no vehicle profile {profile}; there are {others}.': 'Профиля {profile} нет; есть {others}.',
  'There are {count} directions (b) for {points} points.': 'Направлений {count}, а точек {points}.',
  'Driving times must be given, ascending and above zero.': 'Времена в пути должны возрастать и быть больше нуля.',
  'The driving times are missing: minutes=5,10,15.': 'Не указаны времена в пути.',
  '{count} times were given in minutes; at most {most} are allowed.': 'Времён {count}, а можно не больше {most}.',
  'minutes goes from 0.1 to {most}.': 'Минуты от 0,1 до {most}.',
  'There is no address or street within 2 km of this point.':
    'В двух километрах от этой точки нет ни адреса, ни улицы.',
  'The router has too many questions waiting. Try again in a moment.':
    'Слишком много запросов к маршрутам. Повторите через мгновение.',
  'The router is drawing too many areas and large tables already. Try again in a moment.':
    'Слишком много областей и больших таблиц считается сразу. Повторите через мгновение.',
  'The thread that prepares the roads got no further for {seconds} s. Try again in a moment.':
    'Подготовка дорог остановилась на {seconds} с. Повторите через мгновение.',
  'The thread that works events out died before it knew what it has to.':
    'Программа станции, которая вычисляет события, остановилась до начала работы.',
  'The router is just being started again. Try again in a moment.':
    'Маршруты перезапускаются. Повторите через мгновение.',
  'The router was closed or has to be started again.': 'Маршруты перезапускаются. Повторите через мгновение.',
  'The roads for {profile} are being made for the first time. Try again in a moment.':
    'Дороги для профиля {profile} готовятся впервые. Повторите через мгновение.',
  'The roads for {profile} could not be made. Try again in a moment.':
    'Дороги для профиля {profile} подготовить не удалось. Повторите через мгновение.',
  'You may not change by which speeds routes are reckoned: it takes the right to edit, and to see every organisation.':
    'Вам нельзя менять, по каким скоростям считаются маршруты: нужны право править и право видеть все организации.',
  'Another import is running on this territory; wait until it has ended.':
    'Уже идёт другой импорт территории. Дождитесь его конца.',
  'No territory is loaded.': 'Территория не загружена.',
  'The territory was made without speed limits. Import it again.':
    'Территория создана без ограничений скорости. Импортируйте её ещё раз.',
  'No import is running.': 'Импорт не идёт.',
  'The places of this territory are of version {found}, and {needed} is needed: import the territory once more.':
    'Адреса территории версии {found}, а нужна {needed}: импортируйте её ещё раз.',
  'A path may be given on the station itself only; upload the file and send its uuid.':
    'Путь к файлу указывают только на самой станции; отсюда отправьте файл.',
  'path must be the full path of a file on the station.': 'Нужен полный путь к файлу на станции.',
  'path or uuid is required.': 'Нужен путь или отправленный файл.',
  '{file} is not a file.': '{file}: это не файл.',
  '{file} cannot be read ({code}).': '{file} нельзя прочесть ({code}).',
  '{file} is a directory, not an extract.': '{file}: это папка, а не выгрузка карты.',
  '{file} may not be read, or {folder} may not be written.': '{file} нельзя прочесть, или в {folder} нельзя писать.',
  '{file} needs more memory than this machine gives; use a smaller extract.':
    'Для {file} не хватает памяти; возьмите выгрузку поменьше.',
  '{file} holds no roads. The territory {name} stays.': 'В {file} нет дорог. Территория {name} остаётся прежней.',
  'The disk is full: the territory made of {file} does not fit into {folder}. What was loaded before stays.':
    'Диск заполнен: территория из {file} не помещается в {folder}. Прежняя осталась.',

  // Other stations
  'There is no link {id}.': 'Связи {id} нет.',
  'The code is wrong or has expired. A code holds for five minutes and three tries.':
    'Код неверен или больше не действует. Код действует пять минут и три попытки.',
  'The address of a station is like https://192.168.1.20:8443.':
    'Адрес станции выглядит так: https://192.168.1.20:8443.',
  'The address of a station ends with its port.': 'Адрес станции кончается номером порта.',
  'Stations on different machines connect over TLS: the address begins with https://.':
    'Станции на разных компьютерах соединяются по TLS: адрес начинается с https://.',
  'Stations on different machines are paired over TLS.': 'Станции на разных компьютерах связываются по TLS.',
  '{address} cannot be reached: {fault}': 'Нет связи с {address}: {fault}',
  'it does not answer.': 'нет ответа.',
  'no program answers on this port.': 'на этом порту не отвечает ни одна программа.',
  'there is no machine of this name.': 'компьютера с таким именем нет.',
  'there is no way to this machine.': 'в сети нет пути к этому компьютеру.',
  'it closed the connection.': 'соединение закрыто той стороной.',
  'it does not speak TLS on this port.': 'на этом порту не говорят по TLS.',
  'its answer is too long.': 'ответ слишком длинный.',
  'At {address} is no Waypost station that can be paired.': 'По адресу {address} нет станции, которую можно связать.',
  'At {address} is no Waypost station of a fitting version.': 'По адресу {address} нет станции подходящей версии.',
  'The other station answered {number}.': 'Другая станция ответила {number}.',
  'That is this station: a link needs two.': 'Это та же самая станция: для связи нужны две.',
  'This pairing was not begun, or took too long. Try again.':
    'Связывание не начато или заняло слишком много времени. Попробуйте ещё раз.',
  'The station number {number} is taken.': 'Номер станции {number} занят.',
  'There is no free station number.': 'Свободных номеров станций нет.',
  'The station number {number} is taken by another linked station, and this station has records under it. Stations that are to be linked need different numbers (setting stationNumber) before their first record.':
    'Номер {number} занят другой связанной станцией, а на этой уже есть записи под ним. Станциям, которые будут связаны, нужны разные номера (настройка stationNumber) до первой записи.',
  'Too many stations are being paired. Try again.': 'Слишком много станций связывается сразу. Попробуйте ещё раз.',
  'Too many wrong codes. Try again in a quarter of an hour.':
    'Слишком много неверных кодов. Попробуйте через четверть часа.',
  'A message has a wrong form: {fault}': 'Сообщение записано неверно: {fault}',
  'The other station does not know the code: another machine answers there.':
    'Другая станция не знает кода: там отвечает другой компьютер.',
  'The certificate that was seen there is not the one of the station: another machine stands between the two.':
    'Там показан сертификат не той станции: между станциями стоит другой компьютер.',
  'The certificate at {address} is not the one of the pairing: another machine answers there, or the station has a new certificate. If it has, cut the link and pair again.':
    'По адресу {address} не тот сертификат, что при связывании: там отвечает другой компьютер, или сертификат сменили. Если сменили, разорвите связь и свяжите станции снова.',
  'The station at {address} does not have the key of the pairing.':
    'У станции по адресу {address} нет ключа этой связи.',
  'Cut by the other station.': 'Связь разорвана другой станцией.',
  'Paused by the other station.': 'Пауза поставлена другой станцией.',
  'The connection broke off.': 'Соединение оборвалось.',
  'It closed the connection.': 'Другая станция закрыла соединение.',
  'The station stops.': 'Станция останавливается.',
  'Nothing came for {number} s.': 'Ничего не приходило {number} с.',
  'It did not answer after a sleep of this machine or a change of its network.':
    'Нет ответа после сна этого компьютера или смены сети.',
  'Something went wrong in the other station.': 'На другой станции произошёл сбой.',
  'The two stations have versions of Waypost that cannot be linked. Update the older one.':
    'Версии Waypost на двух станциях нельзя связать. Обновите ту, что старее.',
  'The clocks differ too much.': 'Часы расходятся слишком сильно.',
  'The connection was refused: {reason}.': 'В соединении отказано: {reason}.',
  'The other station has no link with this one: it was cut there, or the station was made anew. Pair again.':
    'У другой станции такой связи нет: её разорвали там, или станцию создали заново. Свяжите их снова.',
  'The other station does not accept the key of this one. Cut the link and pair again.':
    'Другая станция не принимает ключ этой. Разорвите связь и свяжите станции снова.',
  '{newer} has Waypost {version}, and {older} has Waypost {old}, which does not know its records. Update {again}. Nothing is lost meanwhile.':
    'На станции «{newer}» Waypost {version}, на «{older}» Waypost {old}, и её записей он не знает. Обновите «{again}». За это время ничего не теряется.',
  'The clocks differ by {number} min: it is {here} at {name} and {there} at {other}. The link goes on when both are right.':
    'Часы расходятся на {number} мин: {here} на «{name}» и {there} на «{other}». Связь продолжится, когда часы верны.',
  '{name} and {other} have the same station number, {number}.': 'У станций «{name}» и «{other}» один номер: {number}.',
  'The other station did not answer within {number} s.': 'Другая станция не ответила за {number} с.',
  'This station does not replicate {collection}.': 'Эта станция не передаёт {collection}.',
  'This station has no answer to "{question}".': 'Эта станция не отвечает на «{question}».',
  'Too many messages are incomplete.': 'Слишком много сообщений не окончено.',
  'A message is too large.': 'Сообщение слишком велико.',
  'A message of {number} bytes is too large for a link.': 'Сообщение слишком велико для связи, байт: {number}.',
  'A part of a message holds a part.': 'Часть сообщения содержит часть.',
  'A frame of the other station is incomplete.': 'Кадр другой станции неполон.',
  'A frame of the other station is not JSON.': 'Кадр другой станции – не JSON.',
  'A frame of the other station has a wrong form.': 'Кадр другой станции записан неверно.',
  'The stamps of {key} are malformed.': 'Метки записи {key} неверны.',
  'The bytes of {name} are pending: they are on their way from another station.':
    'Файл «{name}» ещё передаётся с другой станции.',
  'Only the author of a comment and administrators may change it.': 'Комментарий меняют его автор и администраторы.',
  'Only an administrator of the organisation may do this.': 'Это может сделать только администратор организации.',

  // Files, reports, mail
  'There is no such file.': 'Такого файла нет.',
  'There is no file {name}.': 'Файла {name} нет.',
  'There is no upload {file}.': 'Файл {file} не был отправлен.',
  'Somebody else uploaded this file.': 'Этот файл отправил кто-то другой.',
  'The file is larger than {size} MB.': 'Файл больше {size} МБ.',
  'You may not upload files: your right neither creates tasks nor attaches to them.':
    'Вам нельзя отправлять файлы: ваши права не позволяют ни создавать задачи, ни прикладывать к ним файлы.',
  'Your uploads that nothing uses yet may take {size} MB. Delete some, or wait a day.':
    'Ваши ещё не использованные файлы могут занимать {size} МБ. Удалите часть из них или подождите сутки.',
  'The file is not a picture that can be scaled.': 'Это не изображение, которое можно открыть.',
  '“{name}” is not a picture that can be scaled.': '«{name}» не изображение, которое можно открыть.',
  '{name} is closed.': 'Станция завершает работу.',
  '{name} has too many questions waiting. Try again.': 'Слишком много запросов сразу. Повторите.',
  '{name} was started again ({reason}). Try again.': 'Эта часть станции запущена заново. Повторите.',
  '{name} cannot be started at the moment ({reason}). Try again later.':
    'Эта часть станции сейчас не запускается. Повторите позже; причина в журнале.',
  'validFrom is in the past, and what is changed has not begun yet.':
    'Начало в прошлом, а то, что меняется, ещё не началось.',
  'The form is not correctly percent-encoded.': 'Форма неверно закодирована (percent-encoding).',
  '{field} holds characters that are no text (NUL, or half of a surrogate pair).':
    '{field}: есть символы, которые не текст (NUL или половина суррогатной пары).',
  'There is no room left on the disk of the station.': 'На диске станции не осталось места.',
  'The disk of the station could not store what was written. The station must be restarted.':
    'Диск станции не смог сохранить записанное. Станцию нужно перезапустить.',
  'The report has more than {count} rows. Ask for fewer vehicles or a shorter time.':
    'В отчёте больше {count} строк. Возьмите меньше машин или короче период.',
  'from, till and cars ask for more than {count} records. Ask for fewer vehicles, or a shorter time.':
    'Это больше {count} записей. Возьмите меньше машин или короче период.',
  'Too many reports are being made. Try again.': 'Слишком много отчётов готовится сразу. Повторите.',
  'Too many tracks are being read. Try again.': 'Слишком много треков читается сразу. Повторите.',
  '{product} cannot be made: too much is waiting. Try again.': 'Слишком много бумаг готовится сразу. Повторите.',
  'There is no mail {id}.': 'Письма {id} нет.',
  'There is no letter {id}.': 'Отправления {id} нет.',
  'The mail {id} was sent already.': 'Письмо {id} уже отправлено.',

  // The request and the station
  'The station is closing.': 'Станция завершает работу.',
  'The request {fault}.': 'Запрос неверен.',
  'This station has used up its {count} ids for {what}.': 'На станции закончились номера: {what}, {count}.',
  'Query string malformed close to position {place}': 'Запрос неверен.',
  'Bad Request': 'Запрос неверен.',
  'The form has no part `file`.': 'В форме нет файла.',
  'The request is malformed.': 'Запрос неверен.',
  'The body is too large.': 'Запрос слишком велик.',
  'A text in the body is too long.': 'Текст в запросе слишком длинный.',
  'The body is nested too deeply.': 'Запрос вложен слишком глубоко.',
  'The body broke off.': 'Отправка прервалась.',
  'The body is not in the content coding that its header says.': 'Запрос сжат не так, как сказано в заголовке.',
  'The content coding of the body is not supported.': 'Такое сжатие запроса не поддерживается.',
  'The address is not correctly percent-encoded.': 'Адрес записан не так.',
  'There is nothing at {path}.': 'По адресу {path} ничего нет.',
  'Something went wrong in the station; its log has it as {id}.':
    'На станции случилась ошибка; в её журнале она под номером {id}.',
};

/** Things that the station names in a sentence. */
export const NOUNS: Readonly<Record<string, string>> = {
  'alarm': 'тревога',
  'category': 'категория',
  'comment': 'комментарий',
  'custom field': 'дополнительное поле',
  'driver': 'водитель',
  'file': 'файл',
  'geozone': 'геозона',
  'group': 'группа',
  'icon': 'значок',
  'mark': 'производитель',
  'message': 'задача',
  'model': 'модель',
  'organisation': 'организация',
  'photo': 'фотография',
  'picture': 'изображение',
  'right': 'роль',
  'route': 'маршрут',
  'sensor': 'датчик',
  'sound': 'звук',
  'state': 'состояние',
  'status': 'статус',
  'tag': 'метка',
  'type': 'тип',
  'type group': 'группа типов',
  'user': 'пользователь',
  'vehicle': 'машина',
  'video': 'видео',
};

/** What a value has to be. */
export const KINDS: Readonly<Record<string, string>> = {
  'a whole number': 'целым числом',
  'a number': 'числом',
  'a text': 'текстом',
  'true or false': 'да или нет',
  'an object': 'объектом',
  'an array': 'списком',
};

/** What a person wants to do with a task. */
export const DEEDS: Readonly<Record<string, string>> = {
  'see': 'видеть',
  'create': 'создать',
  'edit': 'править',
  'change the status of': 'менять статус',
  'confirm': 'подтверждать',
  'assign': 'назначать',
  'comment on': 'комментировать',
  'attach files to': 'прикладывать файлы к',
  'archive': 'отправить в архив',
  'delete': 'удалить',
};

/** Fields that forms of several pages have; others are named as the interface does. */
export const FIELDS: Readonly<Record<string, string>> = {
  name: 'Название',
  title: 'Заголовок',
  text: 'Текст',
  comment: 'Комментарий',
  login: 'Логин',
  password: 'Пароль',
  fio: 'Полное имя',
  from: 'Начало',
  till: 'Конец',
  reason: 'Причина',
  type: 'Тип',
  geometry: 'Фигура',
  line: 'Путь',
  factor: 'Доля скорости',
  speedLimit: 'Предел скорости',
  radius: 'Радиус',
  width: 'Ширина',
  glonassId: 'Номер терминала',
  imei: 'IMEI',
  carNo: 'Госномер',
  calibration: 'Тарировка',
  days: 'Дни',
  minutes: 'Минуты',
  cars: 'Машины',
  address: 'Адрес',
  date: 'Дата',
  deadline: 'Срок',
  photos: 'Фотографии',
  files: 'Файлы',
  video: 'Видео',
  sounds: 'Звуки',
  photo: 'Фотография',
  email: 'Почта',
  phone: 'Телефон',
};
