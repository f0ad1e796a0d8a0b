/**
 * Returns the content policy of a page: nothing from another host, no inline code or style, no frame around it.
 *
 * @param more directives of this page alone.
 */
export const pagePolicy = (...more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ');
