import * as z from 'zod';
import { extensionRecord, integer, record, timestamp } from '../../shared/api/fields.ts';
import { MAX_PASSWORD_LENGTH } from '../../shared/auth/passwords.ts';
import { phoneNumber } from '../../shared/domain/phone.ts';
import { PLANS } from '../../shared/domain/plans.ts';
import { readableText } from '../../shared/domain/text.ts';

const MAX_EMAIL = 254;
export const MIN_PASSWORD = 8;

/** The fields of a person who registers; each registration picks those that it takes. */
export const registration = {
  email: z.email().max(MAX_EMAIL),
  password: z
    .string()
    .min(MIN_PASSWORD)
    .max(MAX_PASSWORD_LENGTH)
    // Halves of characters would all be read as one and the same.
    .refine((text) => text.isWellFormed(), {
      error: 'value is not valid Unicode',
      params: { type: 'value_error.unicode' },
    }),
  name: readableText({ max: 100 }),
  ph_number: phoneNumber(),
  /** ISO 3166-1, two letters. */
  country: z.string().regex(/^[A-Z]{2}$/),
  referral_code: z.string().min(1).max(64),
  broker_domain: z.string().min(1).max(253),
} as const;

/** A password for an existing account may be anything; a new one has bounds. */
export const newPassword = registration.password;

export const userIn = record(
  'UserIn',
  z.object({
    email: registration.email,
    password: registration.password,
    name: registration.name,
    ph_number: registration.ph_number.optional(),
    country: registration.country.optional(),
    referral_code: registration.referral_code.optional(),
    broker_domain: registration.broker_domain.optional(),
    accept_terms: z.boolean().optional(),
  }),
);

const userBroker = extensionRecord(
  'UserBroker',
  z.object({
    broker_id: integer(),
    name: z.string(),
    connected: z.boolean(),
    account_id: z.string().nullable(),
    server_id: integer().nullable(),
  }),
);

const subscription = extensionRecord(
  'Subscription',
  z.object({
    plan: z.enum(PLANS),
    status: z.enum(['active', 'cancelled', 'expired']),
    expires_at: timestamp().nullable(),
    deploy_limit: integer(),
    deploy_used: integer(),
  }),
);

const person = {
  user_id: z.string(),
  user_key: z.string(),
  email: z.string(),
  name: z.string(),
  avatar_url: z.string().nullable(),
  email_verified: z.boolean(),
  ph_number: z.string().nullable(),
  ph_verified: z.boolean(),
  /** The broker of a user who has one; see `brokers` for all. */
  broker_id: integer().nullable(),
  brokers: z.array(userBroker),
  subscription,
  referral_code: z.string(),
} as const;

/** A user as the registration without a session returns it. */
export const registeredUser = extensionRecord(
  'RegisteredUser',
  z.object({ ...person, created_at: timestamp() }),
);

export const userCustomOut = record(
  'UserCustomOut',
  z.object({
    ...person,
    is_new_user: z.boolean(),
    access_token: z.string(),
    token_type: z.literal('bearer'),
    /** Seconds that the access token has left. */
    expires_in: integer(),
    /** Null where the session was only looked at: a refresh token is shown when it is made. */
    refresh_token: z.string().nullable(),
    login_time: timestamp(),
  }),
);

export type UserCustomOut = z.output<typeof userCustomOut>;
