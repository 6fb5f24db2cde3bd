export { Mailbox, type MailPreview } from './mailbox.ts';
export { RECEIVED_MAIL_STATES, type ReceivedMail } from './received-mails.ts';
export { MAILBOX_SECURITY, type MailboxSettings } from './settings.ts';
