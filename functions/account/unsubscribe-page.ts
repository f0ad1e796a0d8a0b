import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { LINK_GROUPS } from '../../shared/domain/deployments/notification-preferences.ts';
import { askPage, wantsPage } from './common/unsubscribe-page.ts';
import { unsubscribeQuery, unsubscribeSecret } from './common/unsubscribe-request.ts';

export const unsubscribePage = defineOperation({
  method: 'GET',
  path: '/unsubscribe',
  name: 'unsubscribe_page',
  summary: 'Show the page that stops mails',
  description:
    'Link in mails of notifications. Asks for a click, which posts to the same address. Changes nothing, as programs ' +
    'that check mails open their links. The same for every token. A page for `Accept: text/html`, as browsers send it.',
  caller: 'anyone',
  credential: unsubscribeSecret,
  extension: true,
  input: { query: unsubscribeQuery },
  output: z.object({ group: z.enum(LINK_GROUPS), detail: z.string() }),
  errors: [],
  table: 'none',
  handler: async ({ query: { group } }, { headers }) =>
    wantsPage(headers)
      ? askPage(group)
      : { group, detail: 'Nothing has changed. Send a POST to this address to stop these mails.' },
});
