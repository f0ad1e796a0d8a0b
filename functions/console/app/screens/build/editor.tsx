import '../../rules/no-generated-code.ts';

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StrategyRulesOut, StrategyTemplateOut } from '../../../../../infra/client/package/src/index.ts';
import { NEW_TERMS, type Terms } from '../../backtests/draft.ts';
import { heldAt } from '../../charts/models/rules-chart.ts';
import { keptValues } from '../../kept.ts';
import { textOf } from '../../rules/draft-text.ts';
import type { Edit } from '../../rules/edits.ts';
import { record, redo, undo } from '../../rules/history.ts';
import { type Json, jsonOf, type Path, pathKey } from '../../rules/json.ts';
import { paramNames } from '../../rules/param-edits.ts';
import { canShowRows } from '../../rules/places.ts';
import { emptyRules } from '../../rules/section-edits.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useKept } from '../../ui/use-kept.ts';
import { BacktestTerms, liveBody } from './backtest-terms.tsx';
import { type Editor, EditorContext, focusPlace } from './editor-context.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { RecordNotice } from './record-notice.tsx';
import { ResultPane } from './result-pane.tsx';
import { SaveCard } from './save-card.tsx';
import { SentencesView } from './sentences-view.tsx';
import { Setup } from './setup.tsx';
import { Status } from './status.tsx';
import { Templates } from './templates.tsx';
import { TextView } from './text-view.tsx';
import { useLive } from './use-live.ts';
import { useWork } from './use-work.ts';

/** Text of the text view. It stays as typed while it means the rules `of`. */
interface Typed {
  readonly text: string;
  readonly of: Json;
  readonly isBroken: boolean;
}

type View = 'sentences' | 'text';

const TERMS = keptValues<Terms>();

const FIRST_BARS = 500;

interface StrategyEditorProps {
  /** Strategy whose rules are edited; undefined for a new one. */
  readonly strategy: StrategyRulesOut | undefined;
}

/** Editor of a strategy: its chart and figures, rules as sentences and as text, saving. */
export const StrategyEditor = ({ strategy }: StrategyEditorProps) => {
  const state = useWork(strategy);
  const { work, draft, checked, isDirty, setWork, setHistory, change } = state;
  const [view, setView] = useState<View>('sentences');
  const [typed, setTyped] = useState<Typed>();
  const [isNameTaken, setNameTaken] = useState(false);
  const [terms, setTerms] = useKept(TERMS, 'terms', () => NEW_TERMS);
  const [chosen, setChosen] = useState<string>();
  const [bars, setBars] = useState(FIRST_BARS);
  const [at, setAt] = useState<number>();
  const focus = useRef<Path | undefined>(undefined);
  const isNew = strategy === undefined;

  const isText = typed !== undefined && typed.of === draft;
  const isTextBroken = isText && typed.isBroken;
  const rules = 'rules' in checked && !isTextBroken ? checked.rules : undefined;
  const { market } = work;
  const symbol = market.symbols.find((each) => each === chosen) ?? market.symbols[0];
  const { body, problems: termProblems } = useMemo(
    () => liveBody(rules, market, terms),
    [rules, market, terms],
  );
  const live = useLive(body && symbol !== undefined ? { body, symbol, bars } : undefined);
  const { chart } = live;
  const held = useMemo(() => heldAt(chart, at ?? chart?.bars.at(-1)?.[0]), [chart, at]);

  useEffect(() => {
    if (!focus.current) return;
    focusPlace(focus.current);
    focus.current = undefined;
  });

  const editor: Editor = useMemo(
    () => ({
      draft,
      problems: new Map(
        'problems' in checked ? checked.problems.map(({ place, text }) => [pathKey(place), text]) : [],
      ),
      held,
      texts: new Map((chart?.conditions ?? []).map(({ path, text }) => [pathKey(path), text])),
      params: paramNames(draft),
      change,
      edit: ({ draft: next, focus: place }: Edit) => {
        focus.current = place;
        setHistory((before) => record(before, next));
      },
    }),
    [draft, checked, held, chart],
  );

  const choose = (template: StrategyTemplateOut | undefined): void => {
    const rules = template ? jsonOf(template.rules) : emptyRules();
    focus.current = ['entries', 0];
    const timeframe = isNew && !work.target ? template?.timeframes[0] : undefined;
    setWork((before) => ({
      ...before,
      history: record(before.history, rules),
      market: timeframe ? { ...before.market, timeframe } : before.market,
    }));
  };

  const isMade = work.target !== undefined;
  const isShown = canShowRows(draft);
  const shown: View = isShown ? view : 'text';

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      // A text area undoes its own typing.
      if (event.target instanceof HTMLTextAreaElement) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      setHistory(key === 'y' || event.shiftKey ? redo : undo);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <EditorContext.Provider value={editor}>
      <LeaveGuard isDirty={isDirty} />
      <div class="builder">
        <div class="builder-main">
          {state.isRestored && isDirty && <Notice>Your unsaved changes are back.</Notice>}
          {isMade && isNew && work.saved === undefined && (
            <Notice kind="warn">
              The strategy exists already, without these rules. Save again to give them to it.
            </Notice>
          )}
          <Setup
            market={market}
            onMarket={(next) => {
              setNameTaken(false);
              setWork((before) => ({ ...before, market: next }));
            }}
            isMade={isMade}
            nameError={isNameTaken ? 'You have a strategy of this name already. Choose another.' : undefined}
            symbol={symbol}
            onSymbol={setChosen}
            bars={bars}
            onBars={setBars}
          />
          {symbol === undefined ? (
            <p class="empty">
              Choose an instrument above: its chart and the result of your rules appear here at once.
            </p>
          ) : (
            <ResultPane live={live} symbol={symbol} isStale={body === undefined} onBar={setAt} />
          )}
        </div>
        <div class="builder-side">
          {strategy && <RecordNotice strategy={strategy} />}
          <Templates onChoose={choose} />
          <SaveCard state={state} isNew={isNew} isTextBroken={isTextBroken} onNameTaken={setNameTaken} />
          <section class="card builder-rules" aria-label="Rules">
            <div class="row row-apart">
              <Tabs
                label="View of the rules"
                items={[
                  { key: 'sentences', label: 'Sentences' },
                  { key: 'text', label: 'Text' },
                ]}
                current={shown}
                onChoose={(key) => setView(key === 'text' ? 'text' : 'sentences')}
              />
              <div class="row">
                <Button
                  kind="quiet"
                  disabled={work.history.past.length === 0}
                  aria-keyshortcuts="Control+Z"
                  onClick={() => setHistory(undo)}
                >
                  Undo
                </Button>
                <Button
                  kind="quiet"
                  disabled={work.history.future.length === 0}
                  aria-keyshortcuts="Control+Shift+Z"
                  onClick={() => setHistory(redo)}
                >
                  Redo
                </Button>
              </div>
            </div>
            {!isShown && (
              <Notice kind="warn">
                Sentences cannot show these rules. Correct the text, or begin with a template.
              </Notice>
            )}
            {shown === 'sentences' && isTextBroken && (
              <Notice kind="warn">
                The text has a mistake. These sentences show the rules before it, and a change here discards
                the text.
              </Notice>
            )}
            <Status checked={checked} hasSentence={shown === 'text'} />
            {shown === 'sentences' ? (
              <SentencesView />
            ) : (
              <TextView
                text={isText ? typed.text : textOf(draft)}
                onText={(text, next) => {
                  setTyped({ text, of: next ?? draft, isBroken: next === undefined });
                  if (next !== undefined) change(next, 'text');
                }}
                onDiscard={() => setTyped(undefined)}
              />
            )}
            <BacktestTerms
              rules={rules}
              market={market}
              strategyId={work.target?.strategyId}
              terms={terms}
              onTerms={setTerms}
              problems={termProblems}
            />
          </section>
        </div>
      </div>
    </EditorContext.Provider>
  );
};
