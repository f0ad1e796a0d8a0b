import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { type Checked, checkDraft } from '../../rules/check.ts';
import { beginHistory, type History, record } from '../../rules/history.ts';
import type { Json } from '../../rules/json.ts';
import { jsonOf } from '../../rules/json.ts';
import { emptyRules } from '../../rules/section-edits.ts';
import { user } from '../../session.ts';
import { type Work, works } from './kept-work.ts';

const beginWork = (strategy: StrategyRulesOut | undefined): Work => {
  const saved = strategy?.rules ? jsonOf(strategy.rules) : undefined;
  return {
    history: beginHistory(saved ?? emptyRules()),
    market: {
      name: strategy?.strategy_name ?? '',
      symbols: strategy?.symbols ?? [],
      timeframe: strategy?.timeframe ?? '1d',
    },
    saved,
    target: strategy && { strategyId: strategy.strategy_id, rulesVersion: strategy.rules_version ?? 0 },
    attempt: undefined,
  };
};

/** Compares rules; those that cannot be parsed by their text. */
const isSame = (a: Json, b: Json | undefined, timeframe: Work['market']['timeframe']): boolean => {
  if (b === undefined) return false;
  if (a === b || JSON.stringify(a) === JSON.stringify(b)) return true;
  const [one, other] = [checkDraft(a, timeframe), checkDraft(b, timeframe)];
  return 'canonical' in one && 'canonical' in other && one.canonical === other.canonical;
};

export interface WorkState {
  readonly work: Work;
  readonly draft: Json;
  readonly checked: Checked;
  readonly isDirty: boolean;
  /** True if work of an earlier visit was found. */
  readonly isRestored: boolean;
  readonly setWork: (change: (before: Work) => Work) => void;
  readonly setHistory: (change: (before: History<Json>) => History<Json>) => void;
  readonly change: (draft: Json, field?: string) => void;
}

/** Holds the rules and the market of a strategy while they are edited, and keeps unsaved ones. */
export const useWork = (strategy: StrategyRulesOut | undefined): WorkState => {
  const key = strategy ? String(strategy.strategy_id) : 'new';
  // Known as long as the screen is shown: a session that expires removes the screen after the user.
  const [owner] = useState(() => user.peek()?.userKey ?? '');
  const [kept] = useState(() => works.find(owner, key));
  const [work, setWork] = useState(() => kept ?? beginWork(strategy));
  const { history, market, saved, target } = work;
  const draft = history.present;
  const checked = useMemo(() => checkDraft(draft, market.timeframe), [draft, market.timeframe]);
  const isTouched = strategy === undefined && (market.name !== '' || market.symbols.length > 0);
  const isChanged = useMemo(
    () => (saved === undefined ? history.past.length > 0 : !isSame(draft, saved, market.timeframe)),
    [draft, saved, history.past.length, market.timeframe],
  );
  const isDirty = isChanged || (isTouched && saved === undefined);
  const latest = useRef({ work, isDirty });
  latest.current = { work, isDirty };
  useEffect(
    () => () => works.keep(owner, key, latest.current.isDirty ? latest.current.work : undefined),
    [owner, key],
  );
  const setHistory: WorkState['setHistory'] = (change) =>
    setWork((before) => ({ ...before, history: change(before.history) }));
  return {
    work,
    draft,
    checked,
    isDirty: isDirty || (target !== undefined && strategy === undefined && saved === undefined),
    isRestored: kept !== undefined,
    setWork,
    setHistory,
    change: (next, field) => setHistory((before) => record(before, next, field)),
  };
};
