import { type ResolvedRules, resolveParams } from './params.ts';
import { rulesSchema } from './schema.ts';

/** Returns rules from the canonical text of resolved ones. */
export const resolvedRulesOf = (text: string): ResolvedRules => {
  const result = resolveParams(rulesSchema.parse(JSON.parse(text)));
  if ('rules' in result) return result.rules;
  throw new Error('the stored rules have parameters');
};
