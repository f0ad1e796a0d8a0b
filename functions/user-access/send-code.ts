import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import {
  type CodePurpose,
  type OneTimeCode,
  SendsExhausted,
  sendCode as writeCode,
} from '../../shared/data/one-time-codes.ts';
import { type Message, outboxWrite } from '../../shared/data/outbox.ts';
import { textId } from '../../shared/ids.ts';

interface CodeRequest {
  readonly email: string;
  readonly purpose: CodePurpose;
  readonly last: OneTimeCode | undefined;
  /** To whom it goes; a code for nobody is counted and not sent. */
  readonly userId?: string | undefined;
  readonly phone?: string | undefined;
  readonly message: (nonce: string) => Message;
}

/** Writes a new one-time code and, where it goes to somebody, its message. @throws HubError too_many_codes */
export const sendCode = async (call: Call, request: CodeRequest): Promise<void> => {
  const { email, purpose, last, userId, phone, message } = request;
  const nonce = textId(call.random);
  const write = userId === undefined ? undefined : outboxWrite(textId(call.random), message(nonce), call.now);
  try {
    await writeCode(call.store, { email, purpose, nonce, userId, phone, now: call.now, last }, write);
  } catch (error) {
    if (!(error instanceof SendsExhausted)) throw error;
    throw new HubError(
      'too_many_codes',
      'A code was sent a moment ago, or too many were. Wait before the next.',
      {
        retryAfterS: (error.until - call.now.getTime()) / 1000,
      },
    );
  }
};

/** The one answer to a code that is wrong, over, used or tried too often. */
export const wrongCode = (): HubError =>
  new HubError('code_invalid', 'The code is wrong or no longer valid. Ask for a new one.');
