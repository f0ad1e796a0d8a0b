import * as z from 'zod';
import { requireScope } from '../../shared/api/api-key-caller.ts';
import { HubError, ValidationError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownStrategy } from '../../shared/api/refusals.ts';
import { asStrategy, type Strategy } from '../../shared/data/strategies/strategies.ts';
import { asMarks } from '../../shared/data/strategies/strategy-marks.ts';
import { setRules } from '../../shared/data/strategies/strategy-rules.ts';
import { budgetOf, isSpent, spendWrite } from '../../shared/data/table/budgets.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { rulesHash } from '../../shared/domain/engine/rules/rules-hash.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import type { Rules } from '../../shared/domain/engine/rules/shape.ts';
import { misfitTimeframes } from '../../shared/domain/engine/rules/timeframes.ts';
import { RULES_VISIBILITIES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { changeCards } from './common/kept-cards.ts';
import { requireScopeOf, withoutKeys } from './common/key-scopes.ts';
import { presentOwnRules, strategyRulesOut } from './records/strategy-rules.ts';

/** Refuses operands whose bars cannot be made of the strategy's. @throws ValidationError */
const checkTimeframes = (rules: Rules, timeframe: Timeframe): void => {
  const misfits = misfitTimeframes(rules, timeframe);
  if (misfits.length === 0) return;
  throw new ValidationError(
    misfits.map((path) => ({
      loc: ['body', ...path],
      msg: `ensure this timeframe is a multiple of the strategy's, which is ${timeframe}`,
      type: 'value_error.timeframe',
      ctx: { timeframe },
    })),
  );
};

/** Refuses to replace rules that the caller has not seen. Rules that are stored already pass. @throws HubError */
const checkVersion = (before: Strategy, rules: Rules, expected: number | undefined): void => {
  const present = before.rules_hash === undefined ? 0 : (before.rules_version ?? before.version);
  if (expected === undefined || expected === present || before.rules_hash === rulesHash(rules)) return;
  throw new HubError('rules_changed', 'The rules were changed by another call. Read them again.');
};

const tooManyRules = (endsAt: number, now: Date): HubError =>
  new HubError('rate_limited', 'You have stored many rules today. Go on tomorrow (UTC).', {
    retryAfterS: (endsAt - now.getTime()) / 1000,
  });

export const setStrategyRules = defineOperation({
  method: 'POST',
  path: '/set_strategy_rules',
  name: 'set_strategy_rules',
  summary: 'Set the rules of a strategy',
  description:
    'Replaces the rules and raises the version; the same rules change nothing. The direction of the strategy becomes that of the entries. `rules_visibility` decides whether others can copy the strategy and read its sentence. With `expected_rules_version` the answer is 409 `rules_changed` if another call has changed the rules since. Running deployments keep the rules that they started with.',
  caller: 'user',
  scope: 'research',
  extension: true,
  limits: { body: 64 * 1024 },
  assistant: {
    description:
      'Replaces the rules of a private strategy. Earlier versions stay readable by get_strategy. A 422 names the field that does not fit: mend that field and call again. The answer has the rules as a sentence: check that it says what the user means. Leave rules_visibility out.',
    destructive: true,
    idempotent: true,
  },
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_id: integer(),
      rules_visibility: z.enum(RULES_VISIBILITIES).optional(),
      expected_rules_version: integer().optional(),
    }),
    json: rulesSchema,
  },
  output: strategyRulesOut,
  errors: ['strategy_unknown', 'rules_changed', 'changed_meanwhile', 'rate_limited'],
  table: 'write',
  handler: ({ query, json: rules }, call) =>
    changeCards(call, async () => {
      const strategyKey = keys.strategy(query.strategy_id);
      const historyKey = keys.rulesHistory(query.strategy_id);
      const marksKey = keys.strategyMarks(query.user_id);
      const budget = budgetOf(await call.keyRing(), 'rules_user', [query.user_id], call.now);
      const wanted = [strategyKey, historyKey, marksKey, budget.key];
      const items = await call.store.getMany(wanted, { consistent: true });
      const before = asStrategy(itemWith(items, strategyKey));
      if (before?.user_id !== query.user_id) throw unknownStrategy();
      requireScopeOf(call, before);
      if (query.rules_visibility !== undefined) requireScope(call, 'manage');
      checkVersion(before, rules, query.expected_rules_version);
      checkTimeframes(rules, before.timeframe);
      if (isSpent(itemWith(items, budget.key), budget)) throw tooManyRules(budget.endsAt, call.now);
      const change = {
        rules,
        visibility: query.rules_visibility,
        counted: spendWrite(budget),
        now: call.now,
        random: call.random,
      };
      const { strategy, versions } = await setRules(call.store, before, itemWith(items, historyKey), change);
      const marks = asMarks(itemWith(items, marksKey));
      return withoutKeys(call, presentOwnRules(strategy, marks, { rules, shown: versions[0], versions }));
    }),
});
