import { proofTokenOf } from '../../shared/auth/proof-links.ts';
import { deliverRecords } from '../../shared/deliveries/batch.ts';
import { deliver } from '../../shared/deliveries/main/deliver-main.ts';
import type { Response, TestHub } from './hub.ts';
import { outbox, PASSWORD } from './people.ts';

/** Lets the outbox do the work that a proof or a reset leaves to it. */
export const settleSecured = async (hub: TestHub): Promise<void> => {
  for (const { delivery_id, attempts, message } of await outbox(hub)) {
    if (message?.kind !== 'account_secured') continue;
    const Records = [{ messageId: delivery_id, body: JSON.stringify({ delivery_id, attempts }) }];
    await deliverRecords(deliver, hub.runtime, { Records });
  }
};

/** Proves the e-mail of a user by the link of a mail and the password, which ends nothing. */
export const proveByLink = async (
  hub: TestHub,
  { user_id: userId, email }: { readonly user_id: string; readonly email: string },
): Promise<Response> => {
  const { keyRing, clock } = hub.runtime;
  const token = proofTokenOf(await keyRing(), { email, userId, passwordVersion: 0 }, clock());
  const json = { email, token, password: PASSWORD };
  const proven = await hub.call('POST /confirm_email_link', { json });
  await settleSecured(hub);
  return proven;
};
