import type { Call } from '../../shared/api/call.ts';
import { verifyAccessToken } from '../../shared/auth/access-tokens.ts';
import { sessionToken } from '../../shared/auth/authenticate.ts';
import { isRightCode } from '../../shared/auth/one-time-code.ts';
import type { Write } from '../../shared/data/table/store.ts';
import {
  type CodePurpose,
  countTry,
  findCode,
  liveCodes,
  useCodeWrite,
} from '../../shared/data/users/one-time-codes.ts';
import { codeCaller } from './code-caller.ts';
import { wrongCode } from './send-code.ts';

interface ProvenCode {
  readonly userId: string;
  /** The number that the code was sent to. */
  readonly phone: string | undefined;
  /** Uses the code up; refused where it was used, or tried too often, meanwhile. */
  readonly use: Write;
}

/** Whether a token of the account came along; whether its session was ended does not matter for counting tries. */
const hasToken = async (call: Call, userId: string | undefined): Promise<boolean> => {
  const token = sessionToken(call);
  if (token === undefined || userId === undefined) return false;
  const claims = await verifyAccessToken(await call.keyRing(), call.settings.HUB_PUBLIC_URL, token, call.now);
  return claims?.userId === userId;
};

/**
 * Checks a one-time code of an e-mail. A wrong one is counted before it is answered, a right one counts for
 * nothing until its use is written: so parallel guesses count, too.
 *
 * @throws HubError code_invalid
 */
export const proveCode = async (
  call: Call,
  email: string,
  purpose: CodePurpose,
  presented: string,
): Promise<ProvenCode> => {
  const { credentials, code } = await findCode(call.store, email, purpose);
  const caller = await codeCaller(call, email, credentials, await hasToken(call, credentials.user_id));
  const ring = await call.keyRing();
  const right = liveCodes(code, call.now).find(({ nonce }) =>
    isRightCode(ring, { purpose, email, nonce }, presented),
  );
  if (!code || !right || code.user_id === undefined) {
    await countTry(call.store, email, purpose, { code, caller });
    throw wrongCode();
  }
  const use = useCodeWrite(email, purpose, { code, nonce: right.nonce, caller, now: call.now });
  return { userId: code.user_id, phone: right.phone, use };
};
