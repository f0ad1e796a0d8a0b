import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { userSchema } from '../../../shared/data/users/users.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The input of `GET /check_for_token`. */
export const tokenQuery = z.object({ user_id: z.string() });

/** The answer of `GET /check_for_token`. */
export const tokenOut = z.object({
  active: z.boolean(),
  issued_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
});

/** Tells by one GetItem whether a user has an active platform token; undefined for an unknown user. */
export const findToken = async (userId: string): Promise<z.output<typeof tokenOut> | undefined> => {
  const { Item: item } = await client.send(
    new GetCommand({
      TableName: process.env.HUB_TABLE,
      Key: { pk: `USER#${userId}`, sk: 'USER' },
      ConsistentRead: true,
    }),
  );
  if (!item) return undefined;
  const { platform_token: token } = userSchema.parse(item);
  if (!token || token.expires_at * 1000 <= Date.now()) {
    return { active: false, issued_at: null, expires_at: null };
  }
  return { active: true, issued_at: momentOf(token.issued_at), expires_at: momentOf(token.expires_at) };
};
