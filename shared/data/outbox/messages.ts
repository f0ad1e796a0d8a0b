import * as z from 'zod';
import { CODE_PURPOSES } from '../users/one-time-codes.ts';

const text = { title: z.string(), body: z.string() };
/** A text and its recipient. */
const sentText = { to: z.string(), ...text };

/** Content of a push message. */
const pushText = z.object({
  ...text,
  data: z.record(z.string(), z.string()),
  urgent: z.boolean(),
});

/**
 * A message as stored. It never contains a one-time code: the delivery derives the code from its nonce, so that the
 * table holds none.
 */
export const messageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('code_mail'),
    to: z.string(),
    purpose: z.enum(CODE_PURPOSES),
    nonce: z.string(),
    /** Epoch milliseconds. An expired code is not sent. */
    valid_until: z.number(),
    /** Account whose e-mail the mail proves, also by a link. A new password ends the link. */
    account: z.object({ user_id: z.string(), password_version: z.number() }).optional(),
    /** True for a request of the owner, who may get codes at an address to which mail is stopped. */
    by_owner: z.boolean().optional(),
  }),
  /** To the e-mail that an account had before, with the link that undoes the change. */
  z.object({
    kind: z.literal('email_undo_mail'),
    to: z.string(),
    /** The new e-mail, mostly hidden. */
    changed_to: z.string(),
    user_id: z.string(),
    change_id: z.string(),
    /** Epoch milliseconds. */
    valid_until: z.number(),
  }),
  z.object({
    kind: z.literal('code_sms'),
    to: z.string(),
    /** Needed to derive the code, with the purpose. */
    email: z.string(),
    purpose: z.enum(CODE_PURPOSES),
    nonce: z.string(),
    valid_until: z.number(),
  }),
  /** An account that its owner secured: what was made before ends, and the owner is notified. */
  z.object({
    kind: z.literal('account_secured'),
    user_id: z.string(),
    /**
     * A code in a session, a link with the password, a mail that set a new password, a change of it in the settings, the
     * button that ends all grants, a link that undid a change of the e-mail, a first
     * sign-in with an identity provider, a phone number that was verified, or what happened to the second factors.
     */
    by: z.enum([
      'session',
      'link',
      'mail',
      'settings',
      'grants',
      'undo',
      'identity',
      'phone',
      'factor_added',
      'factor_removed',
      'recovery_codes',
      'recovery_code',
      'factor_removal',
      'factors_kept',
      'passkey_copied',
    ]),
    /** Ends what was made before; absent if nothing ends. */
    made_before: z.string().optional(),
  }),
  /** A link that stops mails, to an address that somebody named. */
  z.object({ kind: z.literal('unsubscribe_mail'), to: z.string() }),
  z.object({ kind: z.literal('analytics'), payload: z.string() }),
  z.object({
    kind: z.literal('domain_event'),
    detail_type: z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
  z.object({
    kind: z.literal('notification_mail'),
    ...sentText,
    /** Owner and preference group of a notification. Mails without them cannot be switched off. */
    user_id: z.string().optional(),
    group: z.string().optional(),
  }),
  /** Entries that an event adds to the lists of a user; parsed at delivery. */
  z.object({
    kind: z.literal('live_entries'),
    user_id: z.string(),
    entries: z.record(z.string(), z.unknown()),
  }),
  /**
   * Other risk limits of a user, to be carried to running deployments: to those named, or to all. Its delivery replaces
   * one for all by several.
   */
  z.object({
    kind: z.literal('risk_limits'),
    user_id: z.string(),
    deployments: z.array(z.number()).optional(),
  }),
  /**
   * A user or a broker began to listen to change events, or ended it, to be carried to running deployments: to those
   * named, or to the next after `after`.
   */
  z.object({
    kind: z.literal('change_listeners'),
    user_id: z.string().optional(),
    broker_id: z.number().optional(),
    deployments: z.array(z.number()).optional(),
    /** Place in the lists of deployments. */
    after: z.string().optional(),
    /** Epoch milliseconds. */
    not_before: z.number().optional(),
  }),
  /** An engine's event, as JSON, that waits for a version that understands it. */
  z.object({ kind: z.literal('execution_event'), event: z.string() }),
  /** A request to an execution adapter: the type and the detail of its event, parsed at delivery. */
  z.object({
    kind: z.literal('order_request'),
    user_id: z.string(),
    broker_id: z.number().optional(),
    request: z.object({ type: z.string(), detail: z.record(z.string(), z.unknown()) }),
  }),
  z.object({ kind: z.literal('notification_sms'), ...sentText }),
  /** A push to every device of a user. Its delivery replaces it by one `device_push` per device. */
  z.object({ kind: z.literal('notification_push'), user_id: z.string(), note: pushText }),
  z.object({
    kind: z.literal('device_push'),
    user_id: z.string(),
    push_key: z.string(),
    device: z.enum(['fcm', 'web_push']),
    note: pushText,
  }),
]);

export type Message = z.output<typeof messageSchema>;
export type MessageOf<K extends Message['kind']> = Extract<Message, { kind: K }>;
export type PushText = z.output<typeof pushText>;
