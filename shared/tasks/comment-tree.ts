import type { Comment } from '../records/index.ts';

/**
 * Comments in reading order: answers after the comment that they answer, oldest first. An answer to a comment
 * that the reader may not see becomes a root.
 */
export function asTree(comments: readonly Comment[]): Comment[] {
  const known = new Set(comments.map((comment) => comment.id));
  const older = comments.toSorted((a, b) => a.at - b.at || a.id - b.id);
  const answers = Map.groupBy(older, ({ parentId }) => (known.has(parentId) ? parentId : 0));
  const ordered: Comment[] = [];
  const waiting = (answers.get(0) ?? []).toReversed();
  for (let comment = waiting.pop(); comment; comment = waiting.pop()) {
    ordered.push(comment);
    waiting.push(...(answers.get(comment.id) ?? []).toReversed());
  }
  return ordered;
}
