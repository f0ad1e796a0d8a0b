import * as z from 'zod';
import { record } from '../../shared/api/fields.ts';
import { readableText } from '../../shared/domain/text.ts';

export const dummyUserIn = record(
  'DummyUserIn',
  z.object({ name: readableText({ max: 100 }), email: z.email().max(254) }),
);

export const dummyUser = record(
  'DummyUser',
  z.object({ id: z.string(), name: z.string(), email: z.string() }),
);
