/** Makes an element of texts and other elements. Nothing is ever read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>>,
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** `main`: the one thing to do next. */
export function button(text: string, pressed: () => void, kind: 'main' | 'plain' = 'plain'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: `button ${kind}` }, text);
  made.addEventListener('click', pressed);
  return made;
}

/** A choice of one of a few: buttons side by side. */
export function segments<T extends string>(
  label: string,
  choices: readonly { readonly value: T; readonly text: string }[],
  chosen: T,
  pick: (value: T) => void,
): HTMLElement {
  const buttons = choices.map(({ value, text }) => {
    const made = element('button', { 'type': 'button', 'aria-pressed': String(value === chosen) }, text);
    made.dataset['value'] = value;
    made.addEventListener('click', () => pick(value));
    return made;
  });
  return element('div', { 'class': 'segments', 'role': 'group', 'aria-label': label }, ...buttons);
}

/** A list of facts, each with its name. */
export function facts(rows: readonly (readonly [string, string | HTMLElement] | undefined)[]): HTMLElement {
  return element(
    'dl',
    {},
    ...rows.flatMap((row) => (row ? [element('dt', {}, row[0]), element('dd', {}, row[1])] : [])),
  );
}

/** A fingerprint in two lines of sixteen pairs, to be compared by eye. */
export function fingerprint(text: string): HTMLElement {
  const pairs = text.split(':');
  const lines = [pairs.slice(0, 16), pairs.slice(16)].map((line) => line.join(':'));
  return element('code', { class: 'fingerprint' }, ...lines.map((line) => element('span', {}, line)));
}
