import { canonicalJson } from '../../canonical-json.ts';
import type { Rules } from './shape.ts';

/** Returns the canonical text of rules: keys sorted, defaults filled in. Equal rules have equal texts. */
export const canonicalRules = (rules: Rules): string => canonicalJson(rules);
