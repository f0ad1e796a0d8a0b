import * as z from 'zod';
import { emailAddress, extensionRecord } from '../../../shared/api/fields.ts';
import { ownName } from '../../../shared/domain/public-names.ts';

export const dummyUserIn = extensionRecord(
  'DummyUserIn',
  z.object({ name: ownName({ max: 100 }), email: emailAddress() }),
);

export const dummyUser = extensionRecord(
  'DummyUser',
  z.object({ id: z.string(), name: z.string(), email: z.string() }),
);
