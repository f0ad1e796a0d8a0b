import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import type { Message } from '../../../shared/data/outbox/messages.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { type Budget, isSpent, spendWrite } from '../../../shared/data/table/budgets.ts';
import { TransactionRefusedError } from '../../../shared/data/table/store.ts';
import {
  type CodeTarget,
  nonceToSend,
  sendRefusedUntil,
  sendWrite,
} from '../../../shared/data/users/one-time-code-sends.ts';
import type { CodePurpose } from '../../../shared/data/users/one-time-codes.ts';
import { CODE_LIFETIME_S, type OneTimeCode } from '../../../shared/data/users/one-time-codes.ts';
import { textId } from '../../../shared/ids.ts';

/** Retry time after a send that another one overtook. */
const SOON_MS = 1000;

/** Budget with its stored item. */
interface ReadBudget {
  readonly budget: Budget;
  readonly item: Item | undefined;
}

interface CodeRequest {
  readonly email: string;
  readonly purpose: CodePurpose;
  readonly caller: string;
  readonly last: OneTimeCode | undefined;
  /** Undefined when no code is sent: the request is counted and answered alike. */
  readonly target: CodeTarget | undefined;
  readonly budgets: readonly ReadBudget[];
  readonly message: (code: { readonly nonce: string; readonly valid_until: number }) => Message;
}

const tooManyCodes = ({ now }: Call, until: number): HubError =>
  new HubError(
    'too_many_codes',
    'A code was sent a moment ago, or the limit of codes is reached. Wait before the next.',
    {
      retryAfterS: (until - now.getTime()) / 1000,
    },
  );

/** Writes a one-time code and, if there is a recipient, its message. @throws HubError too_many_codes */
export const sendCode = async (call: Call, request: CodeRequest): Promise<void> => {
  const { email, purpose, caller, last, target, budgets, message } = request;
  const { now } = call;
  const spent = budgets.find(({ budget, item }) => isSpent(item, budget));
  const until = spent?.budget.endsAt ?? sendRefusedUntil(last, caller, now);
  if (until !== undefined) throw tooManyCodes(call, until);
  const send = { email, purpose, caller, target, nonce: textId(call.random), now };
  const code = { nonce: nonceToSend(last, send), valid_until: now.getTime() + CODE_LIFETIME_S * 1000 };
  try {
    await call.store.transact([
      sendWrite(last, send),
      ...budgets.map(({ budget }) => spendWrite(budget)),
      ...(target ? [outboxWrite(textId(call.random), message(code), now)] : []),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    throw tooManyCodes(call, now.getTime() + SOON_MS);
  }
};

/** Answers a wrong, expired, used or blocked code alike. */
export const wrongCode = (): HubError =>
  new HubError('code_invalid', 'The code is wrong or no longer valid. Request a new one.');
