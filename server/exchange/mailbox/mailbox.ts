import { hostname } from 'node:os';
import { mayDo, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { LONGEST_TITLE } from '../../../shared/tasks/title.ts';
import { shortened } from '../../../shared/text/characters.ts';
import { withoutMentions } from '../../../shared/text/mentions.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { Store } from '../../store/types.ts';
import type { CreateOrder, Tasks } from '../../dispatch/tasks/index.ts';
import { MailboxFollower } from './follow-mailbox.ts';
import { fateOf, withoutQuote, type MailFate } from './mail-fate.ts';
import { keepFiles } from './mail-files.ts';
import { MailServer, wordsOfServer } from './mail-server.ts';
import { isUnreadable, readInThread } from './mail-thread.ts';
import { LONGEST_TEXT } from './mail-limits.ts';
import type { IncomingMail } from './read-mail.ts';
import { MailReceiver, type MailCertificate } from './receive-mail.ts';
import { ReceivedMails, type ReceivedMail } from './received-mails.ts';
import { openMailboxSettings, saveMailboxSettings, type MailboxSettings, type MailRule } from './settings.ts';

interface MailboxOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly files: Files;
  /** From which address the station writes. */
  readonly mailFrom: string;
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
}

/** Expected fate of a mail. */
export interface MailPreview {
  readonly mail: IncomingMail;
  readonly state: ReceivedMail['state'];
  /** Name of the rule that makes a task of it; empty: none does. */
  readonly rule: string;
  readonly taskId: number;
  readonly title: string;
  readonly text: string;
  /** It was taken before, so it does nothing again. */
  readonly isKnown: boolean;
}

const SWEEP = 3_600_000;
/** Unread mails that a preview shows. */
const MOST_SHOWN = 20;
const LONGEST_LINE = 120;
const LONGEST_COMMENT = 19_000;

/** Makes tasks and comments of mail: that in a mailbox, and that received by SMTP (README). */
export class Mailbox {
  readonly received: ReceivedMails;
  readonly #options: MailboxOptions;
  readonly #stops: (() => void)[] = [];
  #settings: MailboxSettings;
  #follower: MailboxFollower | undefined;
  #receiver: MailReceiver | undefined;
  #certificate: () => MailCertificate | undefined = () => undefined;
  #connecting: Promise<void> = Promise.resolve();
  #isStarted = false;
  #isClosed = false;

  private constructor(options: MailboxOptions, settings: MailboxSettings, received: ReceivedMails) {
    this.#options = options;
    this.#settings = settings;
    this.received = received;
    const sweep = () =>
      void received.sweep().catch((error: unknown) => options.report('Old mails could not be forgotten.', error));
    const timer = setInterval(sweep, SWEEP).unref();
    this.#stops.push(() => clearInterval(timer));
  }

  static async open(options: MailboxOptions): Promise<Mailbox> {
    const { store, now } = options;
    const settings = await store.writePlain(openMailboxSettings);
    return new Mailbox(options, settings, await ReceivedMails.open(store, now));
  }

  /**
   * Begins to take mail. A standby does not.
   * @param certificate that of the station, for SMTP
   */
  start(certificate: () => MailCertificate | undefined): void {
    this.#isStarted = true;
    this.#certificate = certificate;
    this.#stops.push(this.#options.store.onReadOnly(() => void this.#connect()));
    void this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.#connect();
  }

  get settings(): MailboxSettings {
    return this.#settings;
  }

  /** Problems that a person must solve. */
  problems(): { readonly code: string; readonly text: string }[] {
    const { problem, waiting } = this.#follower ?? { problem: '', waiting: 0 };
    const deaf = this.#receiver?.problem ?? '';
    return [
      ...(problem === '' ? [] : [{ code: 'mailbox.unreachable', text: `The mailbox cannot be reached: ${problem}` }]),
      ...(waiting === 0 ? [] : [{ code: 'mailbox.waiting', text: `Mails waiting in the mailbox: ${waiting}.` }]),
      ...(deaf === '' ? [] : [{ code: 'mailbox.deaf', text: `Mail cannot be received by SMTP: ${deaf}` }]),
    ];
  }

  async change(settings: MailboxSettings): Promise<void> {
    const { tasks, store } = this.#options;
    if ((settings.enabled || settings.receiver.enabled) && !this.#actorOf(settings))
      throw new Refusal('field.unknown', { field: 'userId', id: settings.userId });
    for (const { typeId, categoryId, organizationId } of settings.rules) {
      requireRecord('newsTypeId', typeId, tasks.types.get(typeId));
      if (categoryId > 0) requireRecord('categoryId', categoryId, tasks.categories.get(categoryId));
      if (organizationId > 0) requireRecord('orgId', organizationId, tasks.organizations.get(organizationId));
    }
    await store.writePlain((sql) => saveMailboxSettings(sql, settings));
    this.#settings = settings;
    await this.#connect();
  }

  /** Expected fate of this mail. */
  async previewOf(source: Buffer): Promise<MailPreview> {
    return this.#preview(await readInThread(source));
  }

  /** Expected fates of the unread mails, oldest first, without those that cannot be read. Marks none as read. */
  async preview(): Promise<MailPreview[]> {
    if (this.#settings.host === '') throw new Refusal('mailbox.off');
    let server: MailServer | undefined;
    try {
      server = await MailServer.connect(this.#settings, () => undefined);
      const previews: MailPreview[] = [];
      for (const { uid } of (await server.unread()).slice(0, MOST_SHOWN)) {
        const found = await server.read(uid);
        const mail = found && (await readInThread(found.source, found.isCut).catch(undefinedIfUnreadable));
        if (mail) previews.push(this.#preview(mail));
      }
      return previews;
    } catch (error) {
      throw new Refusal('mailbox.unreachable', { problem: wordsOfServer(error) });
    } finally {
      await server?.close();
    }
  }

  #preview(mail: IncomingMail): MailPreview {
    const fate = this.#fateOf(mail);
    return {
      mail,
      state: fate.kind === 'ignored' ? fate.why : fate.kind,
      rule: fate.kind === 'task' ? fate.rule.name : '',
      taskId: fate.kind === 'comment' ? fate.taskId : 0,
      title: fate.kind === 'task' ? titleOf(mail, fate.rule) : '',
      text: fate.kind === 'comment' ? commentOf(mail, []) : shortened(mail.text, LONGEST_TEXT),
      isKnown: this.received.withKey(mail.key) !== undefined,
    };
  }

  /** Takes a mail once. Resolves when what it became is on disk. */
  async #take(source: Buffer, isCut: boolean): Promise<void> {
    const { store, tasks, files } = this.#options;
    const mail = await readInThread(source, isCut);
    if (this.received.withKey(mail.key)) return;
    const fate = this.#fateOf(mail);
    if (fate.kind === 'ignored') return this.received.note(mail, fate.why, 0);
    const actor = this.#actorOf(this.#settings);
    if (!actor) throw new Refusal('mailbox.noUser');
    if (!this.#mayTake(mail.from)) throw new Refusal('mailbox.tooMany');
    const { orders, left } = await keepFiles(files, mail, actor.user.id);
    const taskId = fate.kind === 'comment' ? fate.taskId : tasks.takeId();
    await store.transaction(async () => {
      await this.received.note(mail, fate.kind, taskId);
      if (fate.kind === 'task') {
        await tasks.create(actor, taskOrderOfMail(mail, fate.rule, left), orders, undefined, taskId);
        return;
      }
      if (orders.length > 0) await tasks.update(actor, taskId, {}, undefined, orders);
      await tasks.comments.add(actor, taskId, { text: commentOf(mail, left) });
    });
  }

  #fateOf(mail: IncomingMail): MailFate {
    const { mailFrom } = this.#options;
    const { rules, login } = this.#settings;
    const ownAddresses = [/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom, login].map((one) => one.trim().toLowerCase());
    return fateOf({
      ...{ mail, rules, ownAddresses },
      taskOfMail: (id) => {
        const taskId = this.received.taskOf(id);
        return taskId !== undefined && this.#mayComment(taskId) ? taskId : undefined;
      },
      mayName: (taskId, from) => this.#mayComment(taskId) && this.#mayName(taskId, from),
    });
  }

  /** A reply to a task that takes no comments makes a new one: nobody would see it otherwise. */
  #mayComment(taskId: number): boolean {
    const { tasks } = this.#options;
    const actor = this.#actorOf(this.#settings);
    const task = tasks.stored(taskId);
    return actor !== undefined && task !== undefined && !task.isDeleted && mayDo(actor, 'comment', task, tasks.rules());
  }

  /** The sender created the task, or may see it. An address can be forged; a number can be guessed. */
  #mayName(taskId: number, from: string): boolean {
    const { tasks } = this.#options;
    if (from === '') return false;
    if (this.received.madeBy(taskId, from)) return true;
    const task = tasks.stored(taskId);
    return [...tasks.users.values()].some((user) => {
      const role = tasks.roles.get(user.roleId);
      const isSender = !user.isDeleted && user.enabled && user.email.trim().toLowerCase() === from;
      return isSender && role !== undefined && task !== undefined && tasks.maySee({ user, role }, task);
    });
  }

  #mayTake(from: string): boolean {
    const { ofSender, ofAll } = this.received.withinHour(from);
    return ofSender < this.#settings.senderPerHour && ofAll < this.#settings.perHour;
  }

  #actorOf({ userId }: MailboxSettings): Actor | undefined {
    const { tasks } = this.#options;
    const user = tasks.users.get(userId);
    const role = user && tasks.roles.get(user.roleId);
    return user && role && !user.isDeleted && user.enabled && !role.isDeleted ? { user, role } : undefined;
  }

  /** Follows the mailbox and receives mail with the present settings. One call waits for the other. */
  #connect(): Promise<void> {
    this.#connecting = this.#connecting
      .then(() => this.#reconnect())
      .catch((error: unknown) => this.#options.report('Mail cannot be taken.', error));
    return this.#connecting;
  }

  async #reconnect(): Promise<void> {
    const { store, report } = this.#options;
    const [follower, receiver] = [this.#follower, this.#receiver];
    this.#follower = this.#receiver = undefined;
    await follower?.close();
    await receiver?.close();
    const settings = this.#settings;
    if (!this.#isStarted || this.#isClosed || store.readOnly !== undefined) return;
    if (settings.enabled)
      this.#follower = new MailboxFollower({
        ...{ settings, report },
        mayTake: (from) => this.#mayTake(from),
        take: (source, isCut) => this.#take(source, isCut),
      });
    if (settings.receiver.enabled)
      this.#receiver = await MailReceiver.open({
        ...{ settings: settings.receiver, name: hostname(), report },
        certificate: this.#certificate,
        take: (source) => this.#take(source, false),
      });
  }
}

function undefinedIfUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error;
}

function requireRecord(field: string, id: number, record: { readonly isDeleted: boolean } | undefined): void {
  if (!record || record.isDeleted) throw new Refusal('field.unknown', { field, id });
}

function taskOrderOfMail(mail: IncomingMail, rule: MailRule, left: readonly string[]): CreateOrder {
  return {
    title: titleOf(mail, rule),
    typeId: rule.typeId,
    text: shortened(mail.text, LONGEST_TEXT),
    systemData: headOf(mail, left),
    ...(rule.categoryId > 0 && { categoryId: rule.categoryId }),
    ...(rule.organizationId > 0 && { organizationId: rule.organizationId }),
    ...(rule.priority > 0 && { priority: rule.priority }),
  };
}

function titleOf({ subject, text, from }: IncomingMail, { name }: MailRule): string {
  const words = subject || (text.split('\n', 1)[0] ?? '').trim() || from || name;
  return shortened(words.replace(/\s+/g, ' '), Math.min(LONGEST_LINE, LONGEST_TITLE));
}

function commentOf(mail: IncomingMail, left: readonly string[]): string {
  const words = [`${senderOf(mail)}:`, shortened(withoutQuote(mail.text), LONGEST_COMMENT), ...notesOn(mail, left)];
  return withoutMentions(words.join('\n'));
}

function headOf(mail: IncomingMail, left: readonly string[]): string {
  const to = mail.to.slice(0, 10).join(', ');
  const lines = ['Mail', `From: ${senderOf(mail)}`, `To: ${to}`, `Subject: ${mail.subject}`];
  if (mail.writtenAt !== null) lines.push(`Date: ${new Date(mail.writtenAt).toISOString()}`);
  return [...lines, ...notesOn(mail, left)].join('\n');
}

/** Notes about parts of a mail that are only in the mailbox. */
function notesOn({ isCut }: IncomingMail, left: readonly string[]): string[] {
  const notes = left.slice(0, 10).map((name) => `Not attached: ${shortened(name, 60)}`);
  return isCut ? [...notes, 'Too large: its files are not attached.'] : notes;
}

function senderOf({ from, fromName }: IncomingMail): string {
  return fromName === '' || fromName === from ? from : `${fromName} <${from}>`;
}
