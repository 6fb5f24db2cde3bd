import type { Translation } from '../catalogue.ts';

export const en = {
  vertex: 'Point {place}: arrow keys move it, Delete removes it',
  middle: 'New point after point {place}: Enter sets it',
  radius: 'Radius: arrow keys change it',
  point: 'Point',
  line: 'Line',
  polygon: 'Area',
  circle: 'Circle',
  undo: 'Undo the last step (Ctrl+Z)',
  redo: 'Redo the last step (Ctrl+Y)',
  finish: 'Finish',
  resume: 'Continue',
  hints: {
    point: 'Click on the map. By keyboard: arrows move the map, Space sets the point in its middle.',
    line: 'Click along the line; a double click ends it. By keyboard: arrows move the map, Space sets a point in its middle, Enter ends.',
    polygon:
      'Click the corners; a click on the first one ends. By keyboard: arrows move the map, Space sets a corner in its middle, Enter ends.',
    circle: 'Click the centre, then the border. By keyboard: arrows move the map, Space sets the point in its middle.',
    edit: 'Drag a point to move it, a small one to bend the line there. Delete removes the focused point.',
  },
  crosses: 'The border crosses itself.',
};

export const ru: Translation<typeof en> = {
  vertex: 'Точка {place}: стрелки двигают, Delete убирает',
  middle: 'Новая точка после точки {place}: Enter ставит её',
  radius: 'Радиус: стрелки меняют его',
  point: 'Точка',
  line: 'Линия',
  polygon: 'Область',
  circle: 'Круг',
  undo: 'Вернуть последний шаг (Ctrl+Z)',
  redo: 'Повторить (Ctrl+Y)',
  finish: 'Готово',
  resume: 'Продолжить',
  hints: {
    point: 'Щёлкните по карте. С клавиатуры: стрелки двигают карту, пробел ставит точку в её середине.',
    line: 'Щёлкайте вдоль линии, двойной щелчок завершает. С клавиатуры: стрелки двигают карту, пробел ставит точку в её середине, Enter завершает.',
    polygon:
      'Щёлкайте по углам, щелчок по первому завершает. С клавиатуры: стрелки двигают карту, пробел ставит угол в её середине, Enter завершает.',
    circle:
      'Щёлкните в центр, потом по границе. С клавиатуры: стрелки двигают карту, пробел ставит точку в её середине.',
    edit: 'Тяните точку, чтобы передвинуть её, маленькую – чтобы согнуть линию. Delete убирает выбранную точку.',
  },
  crosses: 'Граница пересекает сама себя.',
};
