import * as z from 'zod';
import { until } from '../../support/until.ts';
import { HUB_URL } from './browser.ts';

const POLL_MS = 100;

const messages = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Waits for a mail with a code, and returns the code. */
export const mailedCode = async (email: string): Promise<string> => {
  let code: string | undefined;
  await until(async () => {
    const answer = await fetch(`${HUB_URL}/__local/messages.json`);
    const { items } = messages.parse(await answer.json());
    const mail = items.find(({ to }) => to === email);
    code = mail && /Your code is (\d+)\./.exec(mail.text)?.[1];
    return code !== undefined;
  }, POLL_MS);
  if (code === undefined) throw new Error('no code was mailed');
  return code;
};
