/**
 * Russian plural forms: 1 задача, 2 задачи, 5 задач; 11 to 14 take the last one. The first form of a text is
 * for zero.
 */
export function russianForm(count: number): number {
  if (count === 0) return 0;
  const [tens, ones] = [count % 100, count % 10];
  if (tens > 10 && tens < 20) return 3;
  return ones === 1 ? 1 : ones >= 2 && ones <= 4 ? 2 : 3;
}
