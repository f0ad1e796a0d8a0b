import * as z from 'zod';
import { OrderRefusedError } from './execution-broker.ts';

/** Schema of the body of a refusal. */
const alpacaRefusal = z.object({
  code: z.number().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});

/** Alpaca's codes that concern the keys begin with these digits, in a refusal with status 401 or 403. */
const ACCESS_CODE = /^4011/;
const MAX_REASON = 200;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300;

const refusalOf = (body: unknown): z.output<typeof alpacaRefusal> => alpacaRefusal.safeParse(body).data ?? {};

/** Returns a sentence for the owner. Alpaca's messages name fields and amounts of the order, never the keys. */
const reasonOf = (answer: Answer): string => {
  const text =
    refusalOf(answer.body)
      .message?.replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim() ?? '';
  const said = text === '' ? `status ${answer.status}` : text.slice(0, MAX_REASON);
  return `Alpaca refused the order: ${said}`;
};

/** Tells whether an order with the id exists. */
export const isDuplicate = (answer: Answer): boolean =>
  answer.status === 422 &&
  /client[\s_]?order[\s_]?id must be unique/i.test(refusalOf(answer.body).message ?? '');

/** Tells whether an open order against the refused one is the cause: both could trade with each other. */
const isWashTrade = (answer: Answer): boolean =>
  answer.status === 403 && /wash trade/i.test(refusalOf(answer.body).message ?? '');

/** Tells whether the account holds less than an order, or other orders hold it. */
const isUnavailable = (answer: Answer): boolean =>
  answer.status === 403 &&
  /insufficient (qty|balance|quantity)|cannot open a (short|long)|not allowed to short/i.test(
    refusalOf(answer.body).message ?? '',
  );

/** Returns the level of an exit that the price has passed, by the message of the refusal. */
const passedLevel = (answer: Answer): 'stop' | 'target' | undefined => {
  if (answer.status !== 422 && answer.status !== 403) return undefined;
  const text = refusalOf(answer.body).message ?? '';
  if (!/must be|must not be|cannot be|should be|less than|greater than|<|>/i.test(text)) return undefined;
  if (/stop[ _]price|stop_loss/i.test(text)) return 'stop';
  return /take_profit|take[ -]profit|limit[ _]price/i.test(text) ? 'target' : undefined;
};

/** Tells whether a replacement would change nothing. */
export const isUnchanged = (answer: Answer): boolean =>
  !isOk(answer) && /parameters are not changed/i.test(refusalOf(answer.body).message ?? '');

/** Returns the error of an order that Alpaca refuses. */
export const refusedOrder = (answer: Answer): OrderRefusedError =>
  new OrderRefusedError(reasonOf(answer), { isBlocked: isWashTrade(answer) });

/** Returns the error of an exit that Alpaca refuses. */
export const refusedExit = (answer: Answer): OrderRefusedError =>
  new OrderRefusedError(reasonOf(answer), {
    isBlocked: isWashTrade(answer),
    isUnavailable: isUnavailable(answer),
    passed: passedLevel(answer),
  });

/**
 * Tells whether the keys are refused. A status 403 with another code than those of the keys concerns the order: buying
 * power, shares that are not available, a restriction of the account.
 */
export const isAccessRefused = ({ status, body }: Answer): boolean => {
  if (status === 401) return true;
  const { code } = refusalOf(body);
  return status === 403 && (code === undefined || ACCESS_CODE.test(String(code)));
};
