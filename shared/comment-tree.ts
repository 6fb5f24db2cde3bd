import type { Comment } from './records/index.ts';

/** Comments in reading order: answers behind what they answer, the older first. An answer to what one may not read stands at the root. */
export function asTree(comments: readonly Comment[]): Comment[] {
  const answers = new Map<number, Comment[]>();
  const known = new Set(comments.map((comment) => comment.id));
  for (const comment of [...comments].sort((a, b) => a.at - b.at || a.id - b.id)) {
    const parent = known.has(comment.parentId) ? comment.parentId : 0;
    answers.set(parent, [...(answers.get(parent) ?? []), comment]);
  }
  const ordered: Comment[] = [];
  const waiting = [...(answers.get(0) ?? [])].reverse();
  for (let comment = waiting.pop(); comment; comment = waiting.pop()) {
    ordered.push(comment);
    waiting.push(...[...(answers.get(comment.id) ?? [])].reverse());
  }
  return ordered;
}
