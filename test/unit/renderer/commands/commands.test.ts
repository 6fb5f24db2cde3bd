import { expect, test } from 'vitest';
import { keyName } from '../../../../renderer/src/ui/keyboard/use-keys.ts';
import { completions } from '../../../../renderer/src/features/commands/completions.ts';
import { parseCommand, type CommandContext } from '../../../../renderer/src/features/commands/commands.ts';

const around: CommandContext = {
  vehicles: [
    { id: 1, name: 'Van 7', plate: 'AB 123' },
    { id: 2, name: 'Van 71', plate: 'AB 124' },
    { id: 3, name: 'Ladder 1', plate: 'XX 9' },
    { id: 4, name: 'Скорая 2', plate: 'К 77' },
  ],
  taskById: (id) => ([123, 7].includes(id) ? { id, title: `Task ${id}` } : undefined),
  chosenTask: { id: 7, title: 'Task 7' },
  openTasks: [
    { id: 123, title: 'Task 123' },
    { id: 7, title: 'Task 7' },
  ],
  statusNames: [
    { status: 1, names: ['Free', 'Свободна'] },
    { status: 3, names: ['En route', 'В пути'] },
    { status: 4, names: ['On scene', 'На месте'] },
    { status: 6, names: ['Out of service', 'Не на линии'] },
  ],
  barredBy: (vehicleId, status) => (vehicleId === 2 && status === 1 ? { id: 123, title: 'Task 123' } : undefined),
};
const read = (line: string, over: Partial<CommandContext> = {}) => parseCommand(line, { ...around, ...over });
const said = (line: string, over: Partial<CommandContext> = {}) => {
  const reading = read(line, over);
  if (!reading.ok) return `? ${reading.doubt.kind}`;
  const { kind, ...rest } = reading.command;
  return [kind, ...Object.values(rest).map((value) => (typeof value === 'object' ? value.id : value))].join(' ');
};

test('a vehicle is assigned to the named task, and to the chosen one when none is named', () => {
  expect(said('a van 7 t 123')).toBe('assign 1 123');
  expect(said('assign VAN71 task 123')).toBe('assign 2 123');
  expect(said('a van7')).toBe('assign 1 7');
  expect(said('a van7', { chosenTask: undefined })).toBe('? needs');
});

test('a whole call sign wins over those that only begin so', () => {
  expect(said('v van 7')).toBe('showVehicle 1');
  expect(said('v van')).toBe('? severalVehicles');
  expect(said('v lad')).toBe('showVehicle 3');
});

test('a call sign is shortened to a letter and its number', () => {
  expect(said('v v7')).toBe('showVehicle 1');
  expect(said('s v71 4')).toBe('unitStatus 2 4');
  expect(said('s v7 out')).toBe('unitStatus 1 6');
  expect(said('m v7 call base')).toBe('message 1 call base');
  expect(said('v с2')).toBe('showVehicle 4');
  expect(said('v a7')).toBe('? noVehicle');
  const lorry = { id: 9, name: 'Vessel 7', plate: '' };
  expect(said('v v7', { vehicles: [...around.vehicles, lorry] })).toBe('? severalVehicles');
  // the beginning of a plate does not take the status of another vehicle
  const plated = { id: 9, name: 'Ladder 9', plate: 'V7 88' };
  expect(said('s v7 4', { vehicles: [...around.vehicles, plated] })).toBe('unitStatus 1 4');
  expect(said('v v788', { vehicles: [...around.vehicles, plated] })).toBe('showVehicle 9');
  expect(said('v v78', { vehicles: [...around.vehicles, plated] })).toBe('showVehicle 9');
});

test('call signs are found in both alphabets and by plate', () => {
  expect(said('v skoraia 2')).toBe('showVehicle 4');
  expect(said('v скорая2')).toBe('showVehicle 4');
  expect(said('v ab124')).toBe('showVehicle 2');
});

test('a status is one digit after the vehicle', () => {
  expect(said('s van7 3')).toBe('unitStatus 1 3');
  expect(said('s van 7 3')).toBe('unitStatus 1 3');
  expect(said('s ladder 1')).toBe('? needs');
  expect(said('s van 71')).toBe('? needs');
  expect(said('s van 7 1')).toBe('unitStatus 1 1');
  expect(said('s van7 33')).toBe('? noStatus');
});

test('a crew that has not arrived cannot be free, and the task is named', () => {
  expect(said('s van71 1')).toBe('? notArrived');
  expect(said('s van71 4')).toBe('unitStatus 2 4');
});

test('statuses of tasks, places and new tasks', () => {
  expect(said('d 123')).toBe('done 123');
  expect(said('d')).toBe('done 7');
  expect(said('reo t123')).toBe('reopen 123');
  expect(said('go high street 4')).toBe('go high street 4');
  expect(said('n tree on the road')).toBe('new tree on the road');
  expect(said('t 99')).toBe('? noTask');
});

test('text that is not a command is reported as such', () => {
  expect(said('   ')).toBe('? empty');
  expect(said('xyz 1')).toBe('? unknownCommand');
  expect(said('a')).toBe('? needs');
  expect(said('a nobody')).toBe('? noVehicle');
});

test('keys go by their place on the keyboard when the layout is Cyrillic', () => {
  const press = (key: string, code: string, over: object = {}) =>
    keyName({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...over });
  expect(press('т', 'KeyN')).toBe('n');
  expect(press('ф', 'KeyA')).toBe('a');
  expect(press('.', 'Slash')).toBe('/');
  expect(press(',', 'Slash', { shiftKey: true })).toBe('?');
  expect(press('a', 'KeyQ')).toBe('a'); // AZERTY: a Latin letter is what it says
  expect(press('/', 'Digit7', { shiftKey: true })).toBe('/'); // German layout
  expect(press('Enter', 'Enter', { ctrlKey: true })).toBe('Ctrl+Enter');
  expect(press('Enter', 'Enter', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+Enter');
  expect(press('Enter', 'Enter', { shiftKey: true })).toBe('Shift+Enter');
});

test('a status is also known by its name in both languages, shortened as long as it stays the only one', () => {
  expect(said('s van 7 on scene')).toBe('unitStatus 1 4');
  expect(said('s van7 en')).toBe('unitStatus 1 3');
  expect(said('s van 7 на месте')).toBe('unitStatus 1 4');
  expect(said('s van 7 o')).toBe('? noStatus');
  expect(said('s van71 free')).toBe('? notArrived');
  expect(said('s van on scene')).toBe('? severalVehicles');
});

test('a comment goes to the task that is named, else to the chosen one', () => {
  expect(said('c 123 caller is outside')).toBe('comment 123 caller is outside');
  expect(said('c two people inside')).toBe('comment 7 two people inside');
  expect(said('c 4 people inside')).toBe('comment 7 4 people inside');
  expect(said('c 123')).toBe('? needs');
  expect(said('c text', { chosenTask: undefined })).toBe('? needs');
});

test('a message names its crew by the whole call sign', () => {
  expect(said('m van 7 call base')).toBe('message 1 call base');
  expect(said('m van 71 call base')).toBe('message 2 call base');
  expect(said('m ladder 1')).toBe('? needs');
  expect(said('m nobody hello')).toBe('? noVehicle');
});

test('a filter and a closure take the rest of the line, and nothing ends the filter', () => {
  expect([said('q mill street'), said('q'), said('closure bridge works')]).toEqual([
    'filter mill street',
    'filter ',
    'closure bridge works',
  ]);
});

test('a line that lacks something goes on with what it could be, and each completion is read', () => {
  const linesOf = (line: string) => {
    const reading = read(line);
    return reading.ok ? [] : completions(line, reading.doubt, around).map((one) => one.line);
  };
  expect(linesOf('re')).toEqual([]);
  expect(linesOf('s van')).toEqual(['s Van 7 ', 's Van 71 ']);
  expect(linesOf('s van 7 o')).toEqual(['s van 7 4', 's van 7 6']);
  expect(read('s van 7 6').ok).toBe(true);
  expect(linesOf('s ladder 1')).toHaveLength(4);
  expect(linesOf('v')).toHaveLength(4);
  const unchosen = read('a van 7', { chosenTask: undefined });
  expect(unchosen.ok ? [] : completions('a van 7', unchosen.doubt, around).map(({ line }) => line)).toEqual([
    'a van 7 t 123',
    'a van 7 t 7',
  ]);
});
