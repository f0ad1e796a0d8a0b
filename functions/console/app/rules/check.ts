import './no-generated-code.ts';

import { canonicalRules } from '../../../../shared/domain/engine/rules/canonical.ts';
import { describe } from '../../../../shared/domain/engine/rules/describe.ts';
import { rulesSchema } from '../../../../shared/domain/engine/rules/schema.ts';
import type { Rules } from '../../../../shared/domain/engine/rules/shape.ts';
import { misfitTimeframes } from '../../../../shared/domain/engine/rules/timeframes.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { meantIssues } from '../../../../shared/domain/union-issues.ts';
import { getAt, type Json, type Path, pathKey } from './json.ts';
import { nearestPlace, placesByKey } from './places.ts';
import { problemText } from './problem-texts.ts';

/** Fault of rules, at the place that rows show. */
interface Problem {
  readonly place: Path;
  readonly text: string;
}

/** Result of a check: valid rules with their sentence, or the problems. */
export type Checked =
  | { readonly rules: Rules; readonly sentence: string; readonly canonical: string }
  | { readonly problems: readonly Problem[] };

const stringKey = (key: PropertyKey): string | number => (typeof key === 'symbol' ? String(key) : key);

/** Keeps the first problem of each place, as the later ones follow from it. */
const firstOfEach = (problems: readonly Problem[]): Problem[] => {
  const seen = new Set<string>();
  return problems.filter(({ place }) => {
    const key = pathKey(place);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
};

/** Parses rules of which the service says that they are valid; undefined if a newer version wrote them. */
export const parseRules = (draft: unknown): Rules | undefined => rulesSchema.safeParse(draft).data;

/**
 * Checks rules with the schema of the service.
 *
 * @param timeframe bars of the strategy, from which those of operands are made.
 */
export const checkDraft = (draft: Json, timeframe: Timeframe): Checked => {
  const result = rulesSchema.safeParse(draft);
  const misfits = result.success ? misfitTimeframes(result.data, timeframe) : [];
  if (result.success && misfits.length === 0) {
    return { rules: result.data, sentence: describe(result.data), canonical: canonicalRules(result.data) };
  }
  const places = placesByKey(draft);
  const issues = result.success ? [] : meantIssues(result.error.issues, draft);
  const told = issues.map(
    (issue): Problem => ({
      place: nearestPlace(places, issue.path),
      text: problemText(issue, getAt(draft, issue.path.map(stringKey))),
    }),
  );
  const slow = misfits.map(
    (path): Problem => ({
      place: nearestPlace(places, path),
      text: `Bars of ${String(getAt(draft, path))} cannot be made from bars of ${timeframe}. Choose a longer timeframe.`,
    }),
  );
  return { problems: firstOfEach([...told, ...slow]) };
};
