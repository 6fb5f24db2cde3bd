import type { AlarmRule } from '../../../../shared/records/index.ts';

const rule = (
  id: string,
  priority: AlarmRule['priority'],
  source: AlarmRule['source'],
  name: AlarmRule['name'],
  response: AlarmRule['response'],
  enabled = true,
): AlarmRule => ({ id, enabled, source, priority, name, response });
const event = (type: number, subject = ''): AlarmRule['source'] => ({ kind: 'event', type, subject });

/**
 * The alarm rules of an organization without its own. There are few, each with an advice; anything that needs
 * no response is only an event. Rules for everyday events (speeding, long stops) exist, but are off.
 */
export const DEFAULT_RULES: readonly AlarmRule[] = [
  rule(
    'sos',
    1,
    event(8, 'sos'),
    { en: 'Emergency button', ru: 'Тревожная кнопка' },
    {
      en: 'Call the crew. If it does not answer, send the nearest vehicle and tell the police where it is.',
      ru: 'Вызовите экипаж. Если он не отвечает, направьте ближайшую машину и сообщите полиции её место.',
    },
  ),
  rule(
    'emergency-call',
    1,
    { kind: 'unit-status', status: 0 },
    { en: 'Emergency call of a crew', ru: 'Экипаж: вызов о помощи' },
    {
      en: 'Call the crew at once and keep the line. Send the nearest vehicle.',
      ru: 'Немедленно вызовите экипаж и не прерывайте связь. Направьте ближайшую машину.',
    },
  ),
  rule(
    'emergency-waiting',
    2,
    { kind: 'message', importance: 1, afterSeconds: 60 },
    { en: 'Emergency without a crew', ru: 'Экстренная задача без исполнителя' },
    {
      en: 'Assign it now: the recommended vehicle is at the top of its card. If none is free, take one from a task that can wait.',
      ru: 'Назначьте исполнителя: рекомендованная машина стоит первой в карточке. Если свободных нет, снимите машину с задачи, которая может подождать.',
    },
  ),
  rule(
    'fuel-drain',
    2,
    event(11),
    { en: 'Fuel drained', ru: 'Слив топлива' },
    {
      en: 'Ask the driver what happens at the vehicle. Without a good reason report a theft.',
      ru: 'Узнайте у водителя, что происходит с машиной. Если причины нет, сообщите о краже.',
    },
  ),
  rule(
    'no-driver',
    2,
    event(12),
    { en: 'Drives without an assigned driver', ru: 'Едет без назначенного водителя' },
    {
      en: 'Call the vehicle and ask who drives. If nobody answers, report a theft.',
      ru: 'Вызовите машину и узнайте, кто за рулём. Если не отвечают, сообщите об угоне.',
    },
  ),
  rule(
    'equipment',
    3,
    event(4),
    { en: 'Equipment failure', ru: 'Неисправность оборудования' },
    {
      en: 'Ask the crew for its place by radio, and have the unit checked when it is back.',
      ru: 'Уточните место экипажа по радио, по возвращении отдайте оборудование на проверку.',
    },
  ),
  rule(
    'sensor-limits',
    3,
    event(9),
    { en: 'Sensor beyond its limits', ru: 'Датчик вне пределов' },
    {
      en: 'Tell the driver, and ask whether the load or the vehicle is in danger.',
      ru: 'Сообщите водителю и узнайте, есть ли угроза грузу или машине.',
    },
  ),
  rule(
    'task-overdue',
    3,
    event(20),
    { en: 'Task overdue', ru: 'Задача просрочена' },
    {
      en: 'Ask the crew when it will be done; assign another vehicle or tell the person who waits.',
      ru: 'Узнайте у экипажа срок выполнения; назначьте другую машину или предупредите заявителя.',
    },
  ),
  rule(
    'task-given-back',
    3,
    event(21),
    { en: 'Driver gave a task back', ru: 'Водитель отказался от задачи' },
    {
      en: 'Read why in the task, and assign it to another vehicle.',
      ru: 'Прочтите причину в задаче и назначьте другую машину.',
    },
  ),
  rule(
    'off-route',
    3,
    event(24),
    { en: 'Off the planned route', ru: 'Сход с маршрута' },
    {
      en: 'Ask the driver for the reason. If the road is closed, draw the closure.',
      ru: 'Узнайте у водителя причину. Если дорога закрыта, отметьте перекрытие на карте.',
    },
  ),
  rule(
    'signal-lost',
    4,
    event(2),
    { en: 'Signal lost', ru: 'Потеря связи' },
    {
      en: 'If the vehicle is on a task, call it by radio.',
      ru: 'Если машина на задаче, вызовите её по радио.',
    },
  ),
  rule(
    'long-stop',
    4,
    event(25),
    { en: 'Long stop on the route', ru: 'Долгая стоянка на маршруте' },
    {
      en: 'Ask the driver whether help is needed.',
      ru: 'Узнайте у водителя, нужна ли помощь.',
    },
    false,
  ),
  rule(
    'speeding',
    4,
    event(5),
    { en: 'Too fast', ru: 'Превышение скорости' },
    {
      en: 'Ask the driver to slow down.',
      ru: 'Попросите водителя снизить скорость.',
    },
    false,
  ),
];
