import * as z from 'zod';
import { until } from '../../support/until.ts';
import { HUB_URL } from './browser.ts';

const POLL_MS = 100;

const messages = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Words that tell mails apart. */
const WORDS = {
  proof: 'enter it where you registered',
  reset: 'reset your password',
  stepUp: 'Somebody who is signed in to your account asks for it',
  change: 'enter it where you asked to change your e-mail',
  undo: 'The e-mail of your account was changed to',
} as const;

/** Waits for a mail of a kind, and returns the text of the last one. */
const mailTo = async (email: string, kind: keyof typeof WORDS): Promise<string> => {
  let found: string | undefined;
  await until(async () => {
    const answer = await fetch(`${HUB_URL}/__local/messages.json`);
    const { items } = messages.parse(await answer.json());
    found = items.find(({ to, text }) => to === email && text.includes(WORDS[kind]))?.text;
    return found !== undefined;
  }, POLL_MS);
  if (found === undefined) throw new Error('no such mail was sent');
  return found;
};

/** Waits for a mail with a code, and returns the code. */
export const mailedCode = async (email: string, kind: keyof typeof WORDS): Promise<string> =>
  /Your code is (\d+)\./.exec(await mailTo(email, kind))?.[1] ?? '';

/** Waits for a mail with a link to the console, and returns its address behind `#`. */
export const mailedLink = async (email: string, kind: keyof typeof WORDS): Promise<string> =>
  /console#(\S+)/.exec(await mailTo(email, kind))?.[1] ?? '';
