import { createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { readBody, sendJson } from '../gateway/server.ts';
import type { Messages } from './messages.ts';

/** Registration token of an app that was uninstalled. */
export const UNREGISTERED_TOKEN = 'unregistered';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_PAYLOAD_BYTES = 4096;
const TOKEN_LIFE_S = 3600;
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const accountSchema = z.object({
  project_id: z.string(),
  client_email: z.string(),
  private_key: z.string(),
});

const text = z.record(z.string(), z.string());

/** Message to one token in HTTP v1. Refuses unknown fields, like Firebase. */
const messageSchema = z.strictObject({
  validate_only: z.boolean().optional(),
  message: z.strictObject({
    token: z.string().min(1),
    notification: z.strictObject({ title: z.string(), body: z.string(), image: z.string().optional() }),
    data: text.optional(),
    android: z
      .strictObject({
        collapse_key: z.string().optional(),
        priority: z.enum(['NORMAL', 'HIGH']).optional(),
        ttl: z
          .string()
          .regex(/^\d+(\.\d+)?s$/)
          .optional(),
        notification: z.looseObject({}).optional(),
      })
      .optional(),
    apns: z.strictObject({ headers: text.optional(), payload: z.looseObject({}).optional() }).optional(),
    webpush: z
      .strictObject({
        headers: text.optional(),
        data: text.optional(),
        notification: z.looseObject({}).optional(),
      })
      .optional(),
  }),
});

const fail = (
  response: ServerResponse,
  status: number,
  error: { readonly status: string; readonly message: string; readonly errorCode?: string },
): void => {
  const { errorCode, ...rest } = error;
  const details = errorCode
    ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }]
    : [];
  sendJson(response, status, { error: { code: status, ...rest, details } });
};

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // Not JSON; refused like any invalid body.
  }
};

/** Stand-in for Firebase Cloud Messaging (HTTP v1) and Google's token endpoint. */
export interface Firebase {
  readonly answerToken: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly answerSend: (request: IncomingMessage, response: ServerResponse, project: string) => Promise<void>;
}

/** @param account returns the current key file of the service account. */
export const createFirebase = (account: () => string, messages: Messages): Firebase => {
  const tokens = new Map<string, number>();
  const known = () => accountSchema.safeParse(parsed(Buffer.from(account()))).data;

  return {
    answerToken: async (request, response) => {
      const form = new URLSearchParams((await readBody(request, MAX_BODY_BYTES)).toString('utf8'));
      const refuse = (error: string, error_description: string) =>
        sendJson(response, 400, { error, error_description });
      if (form.get('grant_type') !== GRANT) return refuse('unsupported_grant_type', 'Invalid grant_type');
      const sender = known();
      if (!sender) return refuse('invalid_grant', 'Invalid grant: account not found');
      try {
        const key = createPublicKey(createPrivateKey(sender.private_key));
        const { payload } = await jwtVerify(form.get('assertion') ?? '', key, {
          algorithms: ['RS256'],
          issuer: sender.client_email,
          audience: `http://${request.headers.host}${request.url}`,
          maxTokenAge: TOKEN_LIFE_S,
          requiredClaims: ['exp'],
        });
        if (payload.scope !== SCOPE) return refuse('invalid_scope', 'Invalid OAuth scope');
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        return refuse('invalid_grant', `Invalid JWT: ${error.code}`);
      }
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, Date.now() + TOKEN_LIFE_S * 1000);
      sendJson(response, 200, { access_token: token, expires_in: TOKEN_LIFE_S - 1, token_type: 'Bearer' });
    },

    answerSend: async (request, response, project) => {
      const body = await readBody(request, MAX_BODY_BYTES);
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if ((tokens.get(token) ?? 0) < Date.now()) {
        const message = 'Request had invalid authentication credentials.';
        return fail(response, 401, { status: 'UNAUTHENTICATED', message });
      }
      if (project !== known()?.project_id) {
        return fail(response, 403, { status: 'PERMISSION_DENIED', message: 'Permission denied on project.' });
      }
      const sent = messageSchema.safeParse(parsed(body));
      const invalid = (message: string) =>
        fail(response, 400, { status: 'INVALID_ARGUMENT', message, errorCode: 'INVALID_ARGUMENT' });
      if (!sent.success) return invalid('Invalid JSON payload received.');
      const { token: device, notification, data = {} } = sent.data.message;
      const size = Buffer.byteLength(JSON.stringify({ ...notification, ...data }));
      if (size > MAX_PAYLOAD_BYTES) return invalid('Message too big');
      if (device === UNREGISTERED_TOKEN) {
        const message = 'Requested entity was not found.';
        return fail(response, 404, { status: 'NOT_FOUND', message, errorCode: 'UNREGISTERED' });
      }
      messages.add({
        kind: 'push',
        to: `the app ${device.length > 24 ? `${device.slice(0, 24)}…` : device}`,
        subject: notification.title,
        text: notification.body,
      });
      sendJson(response, 200, { name: `projects/${project}/messages/${randomUUID()}` });
    },
  };
};
