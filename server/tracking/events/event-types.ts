/** A type of events, as `GET /events/types` answers. */
export interface EventType {
  readonly id: number;
  /** A word for programs. */
  readonly name: string;
  /** Its title for people. */
  readonly title: string;
  /** The text of an event without details. */
  readonly message: string;
  /** Whether operators are alerted, instead of seeing it only when they look. */
  readonly notifiable: boolean;
}

const type = (id: number, name: string, title: string, message: string, notifiable = false): EventType => ({
  id,
  name,
  title,
  message,
  notifiable,
});

/** The 25 types of the interface, in the order of their ids. */
export const EVENT_TYPES: readonly EventType[] = [
  type(1, 'stop', 'Stop', 'The vehicle stands.'),
  type(2, 'signal_lost', 'Signal lost', 'Nothing is heard of the vehicle.', true),
  type(3, 'turn', 'Turn', 'The vehicle turned.'),
  type(4, 'equipment_failure', 'Equipment failure', 'The equipment of the vehicle fails.', true),
  type(5, 'speed_mode', 'Speed-mode change', 'The vehicle is faster than its limit.'),
  type(6, 'geozone_in', 'Entered a geozone', 'The vehicle is in the zone.'),
  type(7, 'geozone_out', 'Left a geozone', 'The vehicle left the zone.'),
  type(8, 'digital_sensor', 'Digital sensor', 'The sensor is on.'),
  type(9, 'analog_sensor', 'Analog sensor', 'The value of the sensor is beyond its limits.', true),
  type(10, 'fuel_fill', 'Fuel fill', 'Fuel was filled in.'),
  type(11, 'fuel_drain', 'Fuel drain', 'Fuel was drained.', true),
  type(12, 'no_driver', 'Ignition without an assigned driver', 'The ignition is on and no driver has signed on.', true),
  type(13, 'control_point', 'Arrived at a control point', 'The vehicle is at the control point.'),
  type(14, 'request_place', 'Arrived at the place of a request', 'The vehicle is at the place of its request.'),
  type(15, 'ignition', 'Ignition', 'The ignition is on.'),
  type(16, 'route_joined', 'Joined a route', 'The vehicle follows its planned route.'),
  type(17, 'route_left', 'Left a route', 'The vehicle finished its planned route.'),
  type(18, 'task_assigned', 'Task assigned', 'A task was given to the vehicle.'),
  type(19, 'task_done', 'Task done', 'The task of the vehicle is done.'),
  type(20, 'task_overdue', 'Task overdue', 'The task of the vehicle is overdue.', true),
  type(21, 'task_cancelled_by_driver', 'Task cancelled by the driver', 'The driver gave the task back.', true),
  type(22, 'task_accepted', 'Task accepted by the driver', 'The driver accepted the task.'),
  type(23, 'task_cancelled_by_dispatcher', 'Task cancelled by the dispatcher', 'The task was taken from the vehicle.'),
  type(24, 'off_route', 'Vehicle left the route', 'The vehicle is off its planned route.', true),
  type(25, 'long_stop', 'Long stop on the route', 'The vehicle has stood on its route for too long.', true),
];

export function eventType(id: number): EventType {
  return EVENT_TYPES[id - 1]!;
}
