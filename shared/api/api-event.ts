import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** What is remembered of a request while it passes the stack. */
export interface Arrived {
  /** `performance.now()`. */
  readonly at: number;
  readonly body: string;
  readonly parser: 'json' | 'form' | undefined;
}

/** The gateway's event; a body parser replaces the body's text by what it reads there. */
export interface ApiEvent extends Omit<APIGatewayProxyEventV2, 'body' | 'requestContext'> {
  body?: unknown;
  requestContext: APIGatewayProxyEventV2['requestContext'] & {
    readonly authorizer?: { readonly lambda?: unknown };
  };
  arrived?: Arrived;
}

/** Whether a request says what its body is. */
export const hasContentType = ({ headers }: Pick<ApiEvent, 'headers'>): boolean =>
  (headers['content-type'] ?? '').trim() !== '';
