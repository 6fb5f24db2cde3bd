import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import type { Mail, MailQueue, PostItem, PostQueue } from '../../reporting/notify/index.ts';
import { pathId, queryInt, queryLimit } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const MailItem = z
  .object({
    id: z.int(),
    newsId: z.int(),
    to: z.string(),
    name: z.string(),
    subject: z.string(),
    text: z.string(),
    state: z.enum(['waiting', 'sent', 'failed']),
    attempts: z.int(),
    createdAt: z.int(),
    nextAt: z.int().nullable().meta({ description: 'When it is tried again, epoch ms; null when it is not.' }),
    sentAt: z.int().nullable(),
    error: z.string().meta({ description: 'Why it has not been sent; empty when nothing is wrong.' }),
  })
  .meta({ id: 'Mail' });
const LetterItem = z
  .object({
    id: z.int(),
    newsId: z.int(),
    name: z.string(),
    address: z.string(),
    subject: z.string(),
    createdAt: z.int(),
    printedAt: z.int().nullable(),
  })
  .meta({ id: 'Letter' });

const params = z.object({ id: pathId });
const paging = { before: queryInt(1, 2 ** 50).optional(), limit: queryLimit(1000) };
const PAGE = 200;
const inOurs = { family: 'station', access: 'admin', group: 'Notices' } as const;

/** Administrators see the entries about tasks of their own organization; superusers see all. */
function organizationOf({ user, role }: Caller): number | null {
  return role.superuser ? null : user.organizationId;
}

/** Outgoing mail and post, for administrators. */
export function notifyRoutes(mail: MailQueue, post: PostQueue): DeclaredRoute[] {
  return [
    route({
      ...inOurs,
      method: 'GET',
      path: '/notify/mail',
      summary: 'Outgoing mail, newest first',
      query: z.object({ state: z.enum(['waiting', 'sent', 'failed']).optional(), ...paging }),
      answer: z.array(MailItem),
      description:
        'Each with why it has not been sent: also when no mail server is set. `before` is the id of a mail. An administrator who does not see every organisation gets those about messages of their own. What was sent, given up or never could be sent is kept for 90 days, or `WAYPOST_MAIL_DAYS`.',
      run: ({ query, caller }) =>
        mail
          .list({ ...query, organizationId: organizationOf(caller), limit: query.limit ?? PAGE })
          .map((one) => presentMail(one, mail.disabledReason)),
    }),
    route({
      ...inOurs,
      method: 'POST',
      path: '/notify/mail/:id/retry',
      summary: 'Try a mail again at once',
      params,
      answer: MailItem,
      run: async ({ params, caller }) =>
        presentMail(await mail.retry(params.id, organizationOf(caller)), mail.disabledReason),
    }),
    route({
      ...inOurs,
      method: 'GET',
      path: '/notify/post',
      summary: 'Letters to be posted, newest first',
      description:
        'An administrator who does not see every organisation gets those about messages of their own. What was printed is kept for 90 days, or `WAYPOST_MAIL_DAYS`.',
      query: z.object(paging),
      answer: z.array(LetterItem),
      run: ({ query, caller }) =>
        post.list({ ...query, organizationId: organizationOf(caller), limit: query.limit ?? PAGE }).map(presentLetter),
    }),
    route({
      ...inOurs,
      method: 'GET',
      path: '/notify/post/:id/pdf',
      cost: 5,
      summary: 'A letter, to print',
      params,
      answer: { type: 'application/pdf' },
      run: ({ params, caller, response }) => {
        response.set('Content-Disposition', `inline; filename="letter-${params.id}.pdf"`);
        return post.letter(params.id, organizationOf(caller));
      },
    }),
    route({
      ...inOurs,
      method: 'POST',
      path: '/notify/post/:id/printed',
      summary: 'Note that a letter was printed',
      params,
      answer: LetterItem,
      run: async ({ params, caller }) => presentLetter(await post.printed(params.id, organizationOf(caller))),
    }),
  ];
}

function presentMail(
  { id, taskId, address, name, subject, text, state, attempts, at, nextAt, sentAt, error }: Mail,
  disabledReason: string | null,
): z.input<typeof MailItem> {
  const waits = state === 'waiting';
  return {
    id,
    newsId: taskId,
    to: address,
    name,
    subject,
    text,
    state,
    attempts,
    createdAt: at,
    nextAt: waits && disabledReason === null ? nextAt : null,
    sentAt,
    error: waits && disabledReason !== null ? disabledReason : error,
  };
}

function presentLetter({ id, taskId, name, address, subject, at, printedAt }: PostItem): z.input<typeof LetterItem> {
  return { id, newsId: taskId, name, address, subject, createdAt: at, printedAt };
}
