/** The CORS configuration of an HTTP API. */
export interface CorsConfiguration {
  /** Origins, or `*`. */
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  readonly maxAgeS: number;
}

/** Whether a browser could send this as its origin. */
export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** The gateway's answer to browsers, on AWS and on the local one. */
export const corsFor = (origins: readonly string[]) =>
  ({
    allowOrigins: origins,
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key'],
    exposeHeaders: ['apigw-requestid', 'idempotent-replayed', 'retry-after', 'www-authenticate'],
    // Sessions travel in cookies.
    allowCredentials: true,
    maxAgeS: 3600,
  }) as const satisfies CorsConfiguration;
