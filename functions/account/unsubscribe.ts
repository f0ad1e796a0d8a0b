import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { findUnsubscriber, usedTokenWrite } from '../../shared/auth/unsubscribe-tokens.ts';
import { groupsOf, LINK_GROUPS } from '../../shared/domain/deployments/notification-preferences.ts';
import { endMail } from '../../shared/lifecycle/end-mail.ts';
import { donePage, wantsPage } from './common/unsubscribe-page.ts';
import { unsubscribeQuery, unsubscribeSecret } from './common/unsubscribe-request.ts';

const NOTICE =
  'The link in a mail did this. If it was not you, somebody else has the mail: switch it on again in the settings.';

export const unsubscribe = defineOperation({
  method: 'POST',
  path: '/unsubscribe',
  name: 'unsubscribe',
  summary: 'Stop mails with the link of a mail',
  description:
    'Target of the header List-Unsubscribe in mails of notifications (RFC 8058). Switches the mails of the group off, as ' +
    '`/set_notification_preferences` does, and puts a notice in the list of the owner. The token of a mail is for the group ' +
    'of the mail only. Needs no session, reads no body ' +
    'and ignores cookies, as mail services send the request. A repeat and an unknown token get the same answer: a page for `Accept: text/html`, as browsers send it.',
  caller: 'anyone',
  credential: unsubscribeSecret,
  extension: true,
  input: { query: unsubscribeQuery },
  output: z.object({ group: z.enum(LINK_GROUPS), unsubscribed: z.literal(true) }),
  errors: ['changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { token, group } }, call) => {
    await endMail(call, {
      find: () => findUnsubscriber(call.store, token, group),
      groups: groupsOf(group),
      claim: usedTokenWrite(token, call.now),
      // A forwarded warning holds the token, so the end of risk warnings is pushed.
      notice: { body: NOTICE, channels: group === 'risk' ? ['push'] : [] },
    });
    return wantsPage(call.headers) ? donePage(group) : { group, unsubscribed: true };
  },
});
