import { RawAnswer } from '../../../shared/api/operation.ts';
import { groupsOf, type LinkGroup } from '../../../shared/domain/deployments/notification-preferences.ts';
import { namesOf } from '../../../shared/lifecycle/end-mail.ts';

/** Content policy of the pages: text and one form, nothing loaded and no code. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const page = (title: string, body: string): RawAnswer =>
  new RawAnswer(
    200,
    {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-robots-tag': 'noindex',
    },
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`,
  );

/** Tells whether a caller is a browser, which gets a page. */
export const wantsPage = ({ accept = '' }: Readonly<Record<string, string>>): boolean =>
  accept.toLowerCase().includes('text/html');

const WHERE =
  'Notifications stay in the list of the app. Its <a href="/console#/settings?part=notifications">settings</a> switch mails of each kind on and off.';

/** Asks for a click. The form posts to the address of the page, so the page does not repeat the token. */
export const askPage = (group: LinkGroup): RawAnswer =>
  page(
    `Stop mail about ${namesOf(groupsOf(group))}?`,
    `<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<p><button>Stop these mails</button></p>
</form>
<p>${WHERE}</p>`,
  );

/** Confirms the end of mails. The same for every token. */
export const donePage = (group: LinkGroup): RawAnswer =>
  page(
    `Mail about ${namesOf(groupsOf(group))} is stopped`,
    `<p>If this link is from one of these mails, no more of them come. ${WHERE}</p>`,
  );
