import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import { GRANT_KINDS } from '../../../shared/lifecycle/grants.ts';

export const grantOut = extensionRecord(
  'Grant',
  z.object({
    kind: z.enum(GRANT_KINDS),
    /** Id for the operation that ends it alone. */
    id: z.string(),
    name: z.string(),
    since: timestamp(),
  }),
);
