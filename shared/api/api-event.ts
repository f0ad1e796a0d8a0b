import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Event of the gateway. A body parser replaces the text of the body with the parsed value. */
export interface ApiEvent extends Omit<APIGatewayProxyEventV2, 'body' | 'requestContext'> {
  body?: unknown;
  requestContext: APIGatewayProxyEventV2['requestContext'] & {
    readonly authorizer?: { readonly lambda?: unknown };
  };
}

/** Tells whether a request has a content type. */
export const hasContentType = ({ headers }: Pick<ApiEvent, 'headers'>): boolean =>
  (headers['content-type'] ?? '').trim() !== '';
