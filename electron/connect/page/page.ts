// The connect page: chooses a station, and says what is wrong with the connection to it.
import { LANGUAGES, type Language } from '../../../shared/text/language.ts';
import type { WindowPalette } from '../../../shared/bridge.ts';
import { CONNECT_BRIDGE, type ConnectBridge, type ConnectState, type ConnectView, type Problem } from '../states.ts';
import { button, element, facts, fingerprint, segments } from './elements.ts';
import { LANGUAGE_NAMES, PAGE_TEXTS, type PageTexts } from './page-texts.ts';

const bridge = (window as unknown as Record<string, ConnectBridge>)[CONNECT_BRIDGE]!;
const page = document.querySelector<HTMLElement>('#page')!;
const PALETTES = ['day', 'dusk', 'night'] as const satisfies readonly WindowPalette[];
type Choosing = Extract<ConnectState, { kind: 'choose' }>;

/** The last view, and the person's typed text: the list of stations changes without moving the field. */
let drawn: ConnectView | undefined;
let typed = '';

bridge.onView((view) => {
  const { look, state } = view;
  const t = PAGE_TEXTS[look.language];
  document.documentElement.lang = look.language;
  document.documentElement.dataset['palette'] = look.palette;
  const isSame = drawn?.state.kind === state.kind && drawn.look.language === look.language;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['value'] : undefined;
  if (isSame && state.kind === 'choose' && drawn?.look.palette === look.palette) {
    document.querySelector('#nearby')!.replaceWith(nearbyOf(state, t));
    document.querySelector('#problem')!.replaceWith(problemLine(state.problem, t));
  } else if (!isSame || JSON.stringify(view) !== JSON.stringify(drawn)) {
    const wasOpen = isSame && document.querySelector('details')?.open === true;
    page.replaceChildren(box(view, t), footer(view, t));
    if (wasOpen) page.querySelector('details')!.open = true;
    if (focused !== undefined) page.querySelector<HTMLElement>(`[data-value="${focused}"]`)?.focus();
    else if (!isSame) (page.querySelector<HTMLElement>('[autofocus]') ?? page).focus();
  }
  document.title = page.querySelector('h1')!.textContent;
  drawn = view;
});
bridge.send({ ask: 'view' });

function box({ state, mayChoose }: ConnectView, t: PageTexts): HTMLElement {
  const another = mayChoose ? button(t.another, () => bridge.send({ ask: 'choose' })) : undefined;
  const parts = { ...contents(state, t, another) };
  return element(
    'section',
    { class: `box ${state.kind}` },
    element('p', { class: 'brand' }, 'Waypost'),
    element('h1', {}, parts.title),
    ...parts.body,
  );
}

interface Contents {
  readonly title: string;
  readonly body: readonly (HTMLElement | undefined)[];
}

function contents(state: ConnectState, t: PageTexts, another: HTMLElement | undefined): Contents {
  switch (state.kind) {
    case 'choose':
      return { title: t.choose, body: choices(state, t) };
    case 'asking':
      return {
        title: t.asking(state.address),
        body: [
          element('div', { 'class': 'progress', 'role': 'progressbar', 'aria-label': t.asking(state.address) }),
          row(another),
        ],
      };
    case 'confirm': {
      const { name, version, address, certificate } = state.station;
      const shown = certificate?.fingerprint ?? '';
      return {
        title: t.confirm(name),
        body: [
          text(t.confirmText),
          facts([
            [t.fingerprint, fingerprint(shown)],
            [t.atAddress, address],
            [t.version, version],
            certificate && [t.valid, period(certificate.validFrom, certificate.validTo)],
          ]),
          row(
            focus(button(t.confirmButton, () => bridge.send({ ask: 'confirm', fingerprint: shown }), 'main')),
            another,
          ),
        ],
      };
    }
    case 'waiting':
      return {
        title: t.waiting(state.name ?? state.address),
        body: [
          problemLine(state.problem, t),
          text(t.waitingText),
          facts([[t.atAddress, state.address]]),
          row(focus(button(t.retry, () => bridge.send({ ask: 'retry' }), 'main')), another),
        ],
      };
    case 'changed':
      return { title: t.changed(state.name ?? state.address), body: changed(state, t, another) };
    case 'version': {
      const { name, version, address } = state.station;
      return {
        title: t[state.relation](name),
        body: [
          text(t.versionText[state.relation]),
          facts([
            [t.station, `${name} ${version}`],
            [t.ownVersion, state.own],
            [t.atAddress, address],
          ]),
          row(focus(button(t.open, () => bridge.send({ ask: 'open' }), 'main')), another),
        ],
      };
    }
    case 'wrong-settings':
      return {
        title: t.wrongSettings,
        body: [
          element(
            'p',
            { class: 'beware', role: 'alert' },
            element('code', {}, state.file),
            element('br', {}),
            state.detail,
          ),
          text(t.wrongSettingsText),
          row(focus(button(t.readAgain, () => bridge.send({ ask: 'retry' }), 'main')), another),
        ],
      };
  }
}

function choices(state: Choosing, t: PageTexts): HTMLElement[] {
  const input = element('input', {
    'id': 'address',
    'class': 'control',
    'autocomplete': 'off',
    'spellcheck': 'false',
    'data-value': 'address',
    'autofocus': true,
    'aria-describedby': 'address-hint problem',
  });
  input.value = typed;
  input.addEventListener('input', () => (typed = input.value));
  const connect = (): void => bridge.send({ ask: 'station', address: input.value });
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && connect());
  return [
    ...(state.now === undefined ? [] : [text(t.now(state.now))]),
    element(
      'div',
      { class: 'choice' },
      element('h2', {}, t.there),
      text(t.thereText),
      nearbyOf(state, t),
      element('label', { for: 'address' }, t.address),
      element('div', { class: 'line' }, input, button(t.connect, connect, 'main')),
      element('p', { id: 'address-hint', class: 'hint' }, t.addressHint),
      problemLine(state.problem, t),
      element(
        'div',
        { class: 'line between' },
        text(t.fileText),
        button(t.file, () => bridge.send({ ask: 'file' })),
      ),
    ),
    element(
      'div',
      { class: 'choice' },
      element('h2', {}, t.here),
      element(
        'div',
        { class: 'line between' },
        text(t.hereText),
        button(t.hereButton, () => bridge.send({ ask: 'here' })),
      ),
    ),
  ];
}

function nearbyOf({ nearby }: Choosing, t: PageTexts): HTMLElement {
  if (nearby.length === 0) return element('p', { id: 'nearby', class: 'hint', role: 'status' }, t.noneNearby);
  return element(
    'div',
    { 'id': 'nearby', 'role': 'group', 'aria-label': t.nearby },
    element('h3', {}, t.nearby),
    ...nearby.map(({ name, address }) => {
      const line = element(
        'button',
        { 'type': 'button', 'class': 'pressed-row', 'data-value': address },
        element('span', { class: 'name clipped' }, name),
        element('span', { class: 'numbers' }, address.replace('https://', '')),
      );
      line.addEventListener('click', () => bridge.send({ ask: 'station', address }));
      return line;
    }),
  );
}

function changed(
  { known, shown, mayAccept, address }: Extract<ConnectState, { kind: 'changed' }>,
  t: PageTexts,
  another: HTMLElement | undefined,
): (HTMLElement | undefined)[] {
  const accept = button(t.accept, () => bridge.send({ ask: 'confirm', fingerprint: shown.fingerprint }));
  accept.disabled = true;
  const compared = element('input', { type: 'checkbox', id: 'compared' });
  compared.addEventListener('change', () => (accept.disabled = !compared.checked));
  return [
    element('p', { class: 'beware', role: 'alert' }, t.changedText),
    row(focus(button(t.retry, () => bridge.send({ ask: 'retry' }), 'main')), another),
    element(
      'details',
      {},
      element('summary', {}, t.whatChanged),
      facts([
        [t.atAddress, address],
        [t.known, fingerprint(known)],
        [t.shown, fingerprint(shown.fingerprint)],
        shown.issuer ? [t.issuer, shown.issuer] : undefined,
        [t.valid, period(shown.validFrom, shown.validTo)],
      ]),
      ...(mayAccept
        ? [element('label', { class: 'line', for: 'compared' }, compared, t.compared), row(accept)]
        : [text(t.changedFixed)]),
    ),
  ];
}

/** Always there, so that a screen reader hears when it is filled. */
function problemLine(problem: Problem | undefined, t: PageTexts): HTMLElement {
  const detail = problem?.detail === undefined ? '' : ` (${problem.detail})`;
  return element(
    'p',
    { id: 'problem', class: problem ? 'beware' : 'none', role: 'alert' },
    problem ? t.problems[problem.code] + detail : '',
  );
}

function footer({ look }: ConnectView, t: PageTexts): HTMLElement {
  const change = (part: { language?: Language; palette?: WindowPalette }): void =>
    bridge.send({ ask: 'look', look: { ...look, ...part } });
  return element(
    'footer',
    {},
    segments(
      t.language,
      LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] })),
      look.language,
      (language) => change({ language }),
    ),
    segments(
      t.palette,
      PALETTES.map((value) => ({ value, text: t.palettes[value] })),
      look.palette,
      (palette) => change({ palette }),
    ),
  );
}

function text(words: string): HTMLElement {
  return element('p', { class: 'text' }, words);
}

function row(...buttons: readonly (HTMLElement | undefined)[]): HTMLElement {
  return element('div', { class: 'buttons' }, ...buttons);
}

function focus(made: HTMLElement): HTMLElement {
  made.setAttribute('autofocus', '');
  return made;
}

/** Days of a certificate: `Nov 25 22:50:33 2026 GMT` is a date that the browser reads. */
function period(from: string, to: string): string {
  const day = (date: string): string => {
    const ms = Date.parse(date);
    return Number.isNaN(ms) ? date : new Date(ms).toISOString().slice(0, 10);
  };
  return `${day(from)} – ${day(to)}`;
}
