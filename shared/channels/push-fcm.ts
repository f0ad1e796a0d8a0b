import * as z from 'zod';
import type { Runtime } from '../runtime.ts';
import { boundedFetch } from './bounded-fetch.ts';
import {
  accessToken,
  NoAccessTokenError,
  readServiceAccount,
  type ServiceAccount,
} from './push-fcm-token.ts';
import { fitted, outcomeOf, type PushNote, type PushOutcome } from './push-note.ts';
import { UpstreamDownError } from './upstream.ts';

const SERVICE = 'Firebase';

/** The fields of Google's error model that are used. */
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

/** Builds the message of HTTP v1. The system displays it, so each platform gets its own key for replacing a repeat. */
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
    return undefined; // Not an answer of Google, such as a proxy's error page. The status is enough.
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
    throw new UpstreamDownError(SERVICE, error);
  }
};

/**
 * Tells whether the registration token is invalid. The status alone is not enough, as a malformed message gets the same
 * one.
 */
const isDead = ({ status, failure }: Answer): boolean => {
  if (!failure) return false;
  const { details, message } = failure;
  if (status === 404) return details.some(({ errorCode }) => errorCode === 'UNREGISTERED');
  if (status !== 400) return false;
  const fields = details.flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field));
  // If no field is named, only the text of the message tells.
  return fields.length > 0 ? fields.includes('message.token') : /registration token/i.test(message);
};

/** Returns Firebase's error code, which is a member of an enumeration. */
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
  // Retry later, as the credentials of the service are wrong, not the message. An operator may correct them.
  if (answer.status === 401) return { state: 'later', reason };
  return outcomeOf(SERVICE, answer, now, code);
};

/**
 * Sends a note with Firebase Cloud Messaging (HTTP v1).
 *
 * @param token registration token of an app on a device.
 * @throws UpstreamDownError
 */
export const sendFcm = async (runtime: Runtime, token: string, note: PushNote): Promise<PushOutcome> => {
  try {
    const account = readServiceAccount((await runtime.secrets()).fcmServiceAccount);
    if (!account) return { state: 'refused', reason: 'no Firebase service account is configured' };
    return await send(runtime, account, token, note);
  } catch (error) {
    if (error instanceof NoAccessTokenError) return { state: 'later', reason: error.message };
    throw error;
  }
};
