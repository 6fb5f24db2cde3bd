/** Tarjan (1972), without recursion: the strongly connected component of each vertex of a graph. */
export function componentsOf(next: readonly (readonly number[])[]): Int32Array {
  const count = next.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component = new Int32Array(count).fill(-1);
  const open: number[] = [];
  let numbered = 0;
  let components = 0;
  for (let root = 0; root < count; root++) {
    if (index[root]! >= 0) continue;
    const work: { vertex: number; at: number }[] = [{ vertex: root, at: 0 }];
    while (work.length > 0) {
      const top = work[work.length - 1]!;
      const { vertex } = top;
      if (top.at === 0) {
        index[vertex] = low[vertex] = numbered++;
        open.push(vertex);
      }
      let descended = false;
      while (top.at < next[vertex]!.length) {
        const to = next[vertex]![top.at++]!;
        if (index[to]! < 0) {
          work.push({ vertex: to, at: 0 });
          descended = true;
          break;
        }
        if (component[to]! < 0) low[vertex] = Math.min(low[vertex]!, index[to]!);
      }
      // A vertex without a way on is done at its first visit.
      if (descended) continue;
      work.pop();
      if (work.length > 0)
        low[work[work.length - 1]!.vertex] = Math.min(low[work[work.length - 1]!.vertex]!, low[vertex]!);
      if (low[vertex] !== index[vertex]) continue;
      for (let member = open.pop()!; ; member = open.pop()!) {
        component[member] = components;
        if (member === vertex) break;
      }
      components++;
    }
  }
  return component;
}
