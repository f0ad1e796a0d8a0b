import { createHash } from 'node:crypto';
import { canonicalRules } from './canonical.ts';
import type { Rules } from './shape.ts';

/** Returns the SHA-256 of the canonical text of rules, in hexadecimal digits. */
export const rulesHash = (rules: Rules): string =>
  createHash('sha256').update(canonicalRules(rules)).digest('hex');
