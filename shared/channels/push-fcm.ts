import * as z from 'zod';
import type { Runtime } from '../runtime.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { accessToken, NoAccessToken, readServiceAccount, type ServiceAccount } from './push-fcm-token.ts';
import { fitted, outcomeOf, type PushNote, type PushOutcome } from './push-note.ts';
import { UpstreamDown } from './upstream.ts';

const SERVICE = 'Firebase';

/** Google's error model, as far as it is looked at. */
const failureSchema = z.object({
  error: z.object({
    status: z.string().default(''),
    message: z.string().default(''),
    details: z
      .array(
        z.object({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().default('') })).default([]),
        }),
      )
      .default([]),
  }),
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly failure: z.output<typeof failureSchema>['error'] | undefined;
}

/** The message of HTTP v1: what shows it is the system, so what replaces itself is named in its terms. */
const messageOf = (token: string, note: PushNote, now: Date) => {
  const { deliveryId, title, body, data, urgent, ttlS } = fitted(note);
  return {
    message: {
      token,
      notification: { title, body },
      data: { ...data, delivery_id: deliveryId },
      android: {
        priority: urgent ? 'HIGH' : 'NORMAL',
        ttl: `${ttlS}s`,
        notification: { tag: deliveryId },
      },
      apns: {
        headers: {
          'apns-priority': urgent ? '10' : '5',
          'apns-expiration': String(Math.floor(now.getTime() / 1000) + ttlS),
          'apns-collapse-id': deliveryId,
        },
      },
      webpush: {
        headers: { TTL: String(ttlS), Urgency: urgent ? 'high' : 'normal', Topic: deliveryId },
        notification: { tag: deliveryId },
      },
    },
  };
};

const readFailure = async (response: Response): Promise<Answer['failure']> => {
  const text = await response.text();
  try {
    return failureSchema.parse(JSON.parse(text)).error;
  } catch {
    return undefined; // A page of a proxy on the way: its status has to do.
  }
};

const post = async (
  url: string,
  authorization: string,
  body: ReturnType<typeof messageOf>,
): Promise<Answer> => {
  try {
    const response = await boundedFetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after') ?? undefined,
      failure: response.ok ? undefined : await readFailure(response),
    };
  } catch (error) {
    throw new UpstreamDown(SERVICE, error);
  }
};

/**
 * Whether it is the registration that is no good. The same status comes where the whole message is
 * malformed, which says nothing of the registration.
 */
const isDead = ({ status, failure }: Answer): boolean => {
  if (!failure) return false;
  const { details, message } = failure;
  if (status === 404) return details.some(({ errorCode }) => errorCode === 'UNREGISTERED');
  if (status !== 400) return false;
  const fields = details.flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field));
  // Where no field is named, only the text tells.
  return fields.length > 0 ? fields.includes('message.token') : /registration token/i.test(message);
};

/** Firebase's own code of a failure: one of an enumeration. */
const codeOf = ({ failure }: Answer): string => {
  const code =
    failure?.details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? failure?.status;
  return code !== undefined && /^[A-Z_]{1,40}$/.test(code) ? code : '';
};

const send = async (
  runtime: Runtime,
  account: ServiceAccount,
  token: string,
  note: PushNote,
): Promise<PushOutcome> => {
  const url = `${runtime.capability('push').HUB_FCM_URL}/v1/projects/${account.project_id}/messages:send`;
  const now = runtime.clock();
  const message = messageOf(token, note, now);
  const first = await accessToken(runtime, account);
  let answer = await post(url, first, message);
  if (answer.status === 401) {
    answer = await post(url, await accessToken(runtime, account, first), message);
  }
  const code = codeOf(answer);
  const reason = `${SERVICE} answered ${answer.status} ${code}`.trimEnd();
  if (isDead(answer)) return { state: 'gone', reason };
  // Our credentials are not the message's fault: an operator may set them right within a day.
  if (answer.status === 401) return { state: 'later', reason };
  return outcomeOf(SERVICE, answer, now, code);
};

/**
 * Hands a note to Firebase Cloud Messaging (HTTP v1).
 *
 * @param token the registration token of an app on a device.
 * @throws UpstreamDown
 */
export const sendFcm = async (runtime: Runtime, token: string, note: PushNote): Promise<PushOutcome> => {
  try {
    const account = readServiceAccount((await runtime.secrets()).fcmServiceAccount);
    if (!account) return { state: 'refused', reason: 'no Firebase service account is configured' };
    return await send(runtime, account, token, note);
  } catch (error) {
    if (error instanceof NoAccessToken) return { state: 'later', reason: error.message };
    throw error;
  }
};
