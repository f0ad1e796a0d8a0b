/**
 * The security headers of every answer. What only concerns documents (policies of content, of features, of
 * embedding) is left to the few answers that are documents: on JSON it is dead weight.
 */
export const SECURITY_HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
