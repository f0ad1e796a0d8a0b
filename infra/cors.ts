/** CORS configuration of an HTTP API. */
export interface CorsConfiguration {
  /** Origins, or `*`. */
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  readonly maxAgeS: number;
}

/** Tells whether a text is an origin in the form that browsers send. */
export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Returns the CORS configuration for AWS and the local gateway. */
export const corsFor = (origins: readonly string[]) =>
  ({
    allowOrigins: origins,
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id'],
    exposeHeaders: [
      'apigw-requestid',
      'content-disposition',
      'etag',
      'idempotent-replayed',
      'link',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'server-timing',
      'www-authenticate',
    ],
    // Cookies hold sessions.
    allowCredentials: true,
    maxAgeS: 3600,
  }) as const satisfies CorsConfiguration;
