import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { HUB_URL } from './browser.ts';

const POLL_MS = 100;
const MAX_WAIT_MS = 15_000;

const messages = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Waits for a mail with a code, and returns the code. */
export const mailedCode = async (email: string): Promise<string> => {
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await wait(POLL_MS)) {
    const answer = await fetch(`${HUB_URL}/__local/messages.json`);
    const { items } = messages.parse(await answer.json());
    const mail = items.find(({ to }) => to === email);
    const code = mail && /Your code is (\d{6})/.exec(mail.text)?.[1];
    if (code !== undefined) return code;
  }
  throw new Error('no code was mailed');
};
