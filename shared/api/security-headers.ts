/**
 * Security headers of every answer. Headers that only affect HTML documents (content, permissions and embedding
 * policies) are set on the few answers that are documents, as they have no effect on JSON.
 */
export const SECURITY_HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
