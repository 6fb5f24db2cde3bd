export { fillDemo, fillDemoPast, endLogins, publicLogins, type DemoOptions, type DemoRooms } from './fill.ts';
export { DEMO_LOGINS, type DemoLogin } from './fill/people.ts';
export { simulateCommand } from './simulate/command.ts';
export { startDrivers, type DriversOptions } from './simulate/drivers.ts';
export { simulate, type SimulateOptions } from './simulate/simulate.ts';
