import * as z from 'zod';
import { extensionRecord, integer } from '../../../../shared/api/fields.ts';

/** Grants of the token endpoint: of brokers, and of assistants. */
export const GRANT_TYPES = ['client_credentials', 'authorization_code', 'refresh_token'] as const;

/** Form of the token endpoint. Each grant checks what it needs, and refuses in the form of OAuth. */
export const tokenForm = z.object({
  grant_type: z
    .string()
    .meta({ enum: [...GRANT_TYPES] })
    .optional(),
  scope: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  resource: z.string().optional(),
});

export type TokenForm = z.output<typeof tokenForm>;

export const tokenOut = extensionRecord(
  'AccessToken',
  z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: integer(),
    scope: z.string(),
    refresh_token: z.string().optional(),
  }),
);
