import * as z from 'zod';
import { extensionRecord, timestamp } from '../../../shared/api/fields.ts';
import type { ApiKey } from '../../../shared/data/users/users.ts';
import { SCOPES } from '../../../shared/domain/scopes.ts';

const fields = {
  api_key_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  addresses: z.array(z.string()).nullable(),
  created_at: timestamp(),
  expires_at: timestamp(),
  last_used_at: timestamp().nullable(),
};

export const apiKeyOut = extensionRecord(
  'ApiKey',
  z.object({ ...fields, kind: z.enum(['key', 'assistant']), host: z.string().nullable() }),
);

/** A key with its text, which is shown once. */
export const newApiKeyOut = extensionRecord('NewApiKey', z.object({ ...fields, api_key: z.string() }));

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Presents what every key has to its owner, without its text. */
export const presentNewKey = (
  api_key_id: string,
  { name, scopes, addresses, created_at, expires_at, used_at }: ApiKey,
) => ({
  api_key_id,
  name,
  scopes,
  addresses: addresses ?? null,
  created_at: timeOf(created_at),
  expires_at: timeOf(expires_at),
  last_used_at: used_at === undefined ? null : timeOf(used_at),
});

/** Presents a key, or an assistant, to its owner. */
export const presentApiKey = (id: string, key: ApiKey): z.output<typeof apiKeyOut> => ({
  ...presentNewKey(id, key),
  kind: key.assistant ? 'assistant' : 'key',
  host: key.assistant?.host ?? null,
});
