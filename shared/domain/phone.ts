import { isValidPhoneNumber } from 'libphonenumber-js/min';
import * as z from 'zod';

/** Schema of a phone number in E.164, in a number range that is in use. */
export const phoneNumber = () =>
  z.string().refine((text) => /^\+[1-9]\d{6,14}$/.test(text) && isValidPhoneNumber(text), {
    error: 'value is not a valid phone number in E.164 form, for example +14155550123',
    params: { type: 'value_error.phone_number' },
  });
