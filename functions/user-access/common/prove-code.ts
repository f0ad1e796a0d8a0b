import type { Call } from '../../../shared/api/call.ts';
import { isRightCode } from '../../../shared/auth/one-time-code.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import type { Credentials } from '../../../shared/data/users/credentials.ts';
import type { CodePurpose } from '../../../shared/data/users/one-time-codes.ts';
import { countTry, findCode, useCodeWrite, validCodes } from '../../../shared/data/users/one-time-codes.ts';
import { codeCaller, hasToken } from './code-caller.ts';
import { wrongCode } from './send-code.ts';

interface ProvenCode {
  readonly userId: string;
  /** Phone number that received the code. */
  readonly phone: string | undefined;
  /** Session that asked for it. */
  readonly sid: string | undefined;
  readonly credentials: Credentials;
  /** Marks the code as used. Refused if it was used or tried too often meanwhile. */
  readonly use: Write;
}

/**
 * Checks a one-time code of an e-mail. A wrong code is counted before the answer. A right code counts nothing
 * until its use is written, so parallel guesses are counted, too.
 *
 * @param sentTo address that got the code, if it is not that of the account
 * @throws HubError code_invalid
 */
export const proveCode = async (
  call: Call,
  email: string,
  purpose: CodePurpose,
  presented: string,
  sentTo = email,
): Promise<ProvenCode> => {
  const { credentials, code } = await findCode(call.store, email, purpose);
  const hasSession = await hasToken(call, credentials.user_id);
  const caller = await codeCaller(call, email, credentials, { hasSession });
  const ring = await call.keyRing();
  const right = validCodes(code, caller, call.now).find(({ nonce }) =>
    isRightCode(ring, { purpose, email: sentTo, nonce }, presented),
  );
  // A code ends when its user no longer has the e-mail.
  if (!code || !right || code.user_id === undefined || code.user_id !== credentials.user_id) {
    await countTry(call.store, email, purpose, { code, caller });
    throw wrongCode();
  }
  const use = useCodeWrite(email, purpose, { code, nonce: right.nonce, caller, now: call.now });
  return { userId: code.user_id, phone: right.phone, sid: right.sid, use, credentials };
};
