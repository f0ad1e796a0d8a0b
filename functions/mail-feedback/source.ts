import type { BusSource } from '../declaration.ts';

/** Source of the function: reports of SES on mails of the stage. */
export const MAIL_FEEDBACK_SOURCE: BusSource = {
  subscriptions: [{ senders: 'mail', detailTypes: ['Email Bounced', 'Email Complaint Received'] }],
  maxRetries: 2,
  finalErrors: ['ZodError'],
};
