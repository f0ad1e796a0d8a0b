import * as z from 'zod';
import { until } from '../../support/until.ts';
import { HUB_URL } from './browser.ts';

const POLL_MS = 100;

const messages = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

/** Digits of the codes that prove an e-mail, and of those that reset a password. */
export const DIGITS = { proof: 8, reset: 6 } as const;

/**
 * Waits for a mail with a code of a number of digits, and returns the code.
 *
 * @param which `again` waits for a second one.
 */
export const mailedCode = async (
  email: string,
  digits: number,
  which: 'first' | 'again' = 'first',
): Promise<string> => {
  let code: string | undefined;
  await until(async () => {
    const answer = await fetch(`${HUB_URL}/__local/messages.json`);
    const { items } = messages.parse(await answer.json());
    const codes = items
      .filter(({ to }) => to === email)
      .flatMap(({ text }) => /Your code is (\d+)\./.exec(text)?.[1] ?? [])
      .filter((one) => one.length === digits);
    code = which === 'again' && codes.length < 2 ? undefined : codes[0];
    return code !== undefined;
  }, POLL_MS);
  if (code === undefined) throw new Error('no code was mailed');
  return code;
};
