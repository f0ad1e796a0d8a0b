import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isRecord } from '../../shared/domain/unknown-fields.ts';

/** Returns the body of a call without the token that the SDK adds to a transaction. */
const bodyWithout = (body: unknown): unknown => {
  if (!(body instanceof Uint8Array)) return body;
  const input: unknown = JSON.parse(new TextDecoder().decode(body));
  if (!isRecord(input) || !('ClientRequestToken' in input)) return body;
  const { ClientRequestToken: _, ...rest } = input;
  return new TextEncoder().encode(JSON.stringify(rest));
};

/**
 * Makes a client send transactions without the token that tells a repeated one from a new one. The local engine compares
 * whole transactions by their tokens, which is a fifth of its work.
 *
 * Use it only for transactions without conditions, on data that no other process changes: the SDK may send one twice,
 * and the second then writes the same items again.
 */
export const leaveOutTokens = (client: DynamoDBClient): void =>
  client.middlewareStack.add(
    (next) => (call) => {
      const { request } = call;
      if (typeof request === 'object' && request !== null && 'body' in request) {
        request.body = bodyWithout(request.body);
      }
      return next(call);
    },
    // Comes before the SDK measures the length of the body.
    { step: 'build', priority: 'high', name: 'leaveOutTokens' },
  );
