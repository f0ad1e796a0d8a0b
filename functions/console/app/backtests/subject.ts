import type { Rules } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import type { Subject } from './draft.ts';

/** Returns rules with sorted keys as text, for comparing them. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );

/** Returns the strategy of rules, as long as they are its saved ones: only then is a test of them one of the strategy. */
export const subjectOf = async (
  { strategy_id, rules }: { readonly strategy_id: number | null; readonly rules: Rules },
  signal: AbortSignal,
): Promise<Subject> => {
  if (strategy_id === null) return { rules };
  try {
    const strategy = await hub.getStrategy({ user_id: ME, strategy_id }, { signal });
    return canonical(strategy.rules) === canonical(rules) ? { strategy_id, rules } : { rules };
  } catch (error) {
    if (signal.aborted) throw error;
    // The strategy may be gone; its rules are here.
    return { rules };
  }
};
