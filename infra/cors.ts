/** The gateway's answer to browsers, on AWS and on the local one. */
export const corsFor = (origins: readonly string[]) =>
  ({
    allowOrigins: origins,
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key'],
    exposeHeaders: ['apigw-requestid', 'retry-after', 'www-authenticate'],
    // Sessions travel in cookies.
    allowCredentials: true,
    maxAgeS: 3600,
  }) as const;
