import * as z from 'zod';
import { emailAddress, record } from '../../../shared/api/fields.ts';
import { MAX_PASSWORD_LENGTH } from '../../../shared/auth/passwords.ts';
import { phoneNumber } from '../../../shared/domain/phone.ts';
import { ownName } from '../../../shared/domain/public-names.ts';

export const MIN_PASSWORD = 8;

/** Fields of a registration; each operation picks its own. */
export const registration = {
  email: emailAddress(),
  password: z
    .string()
    .min(MIN_PASSWORD)
    .max(MAX_PASSWORD_LENGTH)
    // Lone surrogates would all encode to the same bytes.
    .refine((text) => text.isWellFormed(), {
      error: 'value is not valid Unicode',
      params: { type: 'value_error.unicode' },
    }),
  name: ownName({ max: 100 }),
  ph_number: phoneNumber(),
  /** ISO 3166-1, two letters. */
  country: z.string().regex(/^[A-Z]{2}$/),
  referral_code: z.string().min(1).max(64),
  broker_domain: z.string().min(1).max(253),
} as const;

/** Checks a new password. A password that signs in is not checked, so that old ones stay valid. */
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
