import { defineStore } from 'pinia';
import { computed } from 'vue';
import { mentionKey, mentionsIn } from '../../../../../shared/tasks/mentions.ts';
import { fold } from '../../../../../shared/text/fold.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';

/** A person whom a comment can name. */
export interface MentionedPerson {
  readonly id: number;
  readonly name: string;
  readonly login: string;
}

/** A piece of a text; `who` where it names somebody. */
export interface TextPiece {
  readonly text: string;
  readonly who?: MentionedPerson;
}

interface KnownUser extends MentionedPerson {
  readonly kind: string;
  readonly organizationId: number;
  readonly enabled?: boolean;
  readonly isDeleted?: boolean;
}

const MOST_CHOICES = 6;

/** People of the own organization, by the `@login` that names them. */
export const useMentions = defineStore('mentions', () => {
  const { records } = useLive();
  const session = useSession();

  const people = computed<readonly MentionedPerson[]>(() => {
    void records.accounts.version.value;
    const own = session.user?.organizationId;
    return ([...records.accounts.values()] as unknown as readonly KnownUser[])
      .filter(
        (one) =>
          one.kind === 'user' && one.organizationId === own && !one.isDeleted && one.enabled !== false && one.login,
      )
      .sort((one, other) => one.name.localeCompare(other.name));
  });
  const byKey = computed(() => new Map(people.value.map((person) => [mentionKey(person.login), person])));
  const find = (key: string) => byKey.value.get(key);

  function pieces(text: string): readonly TextPiece[] {
    let at = 0;
    const found: TextPiece[] = [];
    for (const { start, end, who } of mentionsIn(text, find)) {
      found.push({ text: text.slice(at, start) }, { text: text.slice(start, end), who });
      at = end;
    }
    return [...found, { text: text.slice(at) }].filter((piece) => piece.text !== '');
  }

  /** Whom a text names, each once, without the user. */
  function named(text: string): readonly MentionedPerson[] {
    return [...new Set(mentionsIn(text, find).map(({ who }) => who))].filter(({ id }) => id !== session.user?.id);
  }

  /** Whom the beginning of a login or of a word of the name may mean. */
  function choicesFor(typed: string): readonly MentionedPerson[] {
    const begun = fold(typed);
    return people.value
      .filter(({ id }) => id !== session.user?.id)
      .filter(({ login, name }) => [login, ...name.split(/\s+/)].some((word) => fold(word).startsWith(begun)))
      .slice(0, MOST_CHOICES);
  }

  return { pieces, named, choicesFor };
});
