import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StrategyRulesOut, StrategyTemplateOut } from '../../../../../infra/client/package/src/index.ts';
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
import { BacktestPanel } from './backtest-panel.tsx';
import { type Editor, EditorContext, focusPlace } from './editor-context.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { RecordNotice } from './record-notice.tsx';
import { RowsView } from './rows-view.tsx';
import { SaveCard } from './save-card.tsx';
import { Setup } from './setup.tsx';
import { Status } from './status.tsx';
import { Templates } from './templates.tsx';
import { TextView } from './text-view.tsx';
import { useWork } from './use-work.ts';

/** Text of the text view. It stays as typed while it means the rules `of`. */
interface Typed {
  readonly text: string;
  readonly of: Json;
  readonly isBroken: boolean;
}

type View = 'rows' | 'text';

interface StrategyEditorProps {
  /** Strategy whose rules are edited; undefined for a new one. */
  readonly strategy: StrategyRulesOut | undefined;
}

/** Editor of a strategy: name and market of a new one, rules as rows and as text, backtest, saving. */
export const StrategyEditor = ({ strategy }: StrategyEditorProps) => {
  const state = useWork(strategy);
  const { work, draft, checked, isDirty, setWork, setHistory, change } = state;
  const [view, setView] = useState<View>('rows');
  const [typed, setTyped] = useState<Typed>();
  const [isNameTaken, setNameTaken] = useState(false);
  const focus = useRef<Path | undefined>(undefined);
  const isNew = strategy === undefined;

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
      params: paramNames(draft),
      change,
      edit: ({ draft: next, focus: place }: Edit) => {
        focus.current = place;
        setHistory((before) => record(before, next));
      },
    }),
    [draft, checked],
  );

  const choose = (template: StrategyTemplateOut | undefined): void => {
    const rules = template ? jsonOf(template.rules) : emptyRules();
    const timeframe = isNew && !work.target ? template?.timeframes[0] : undefined;
    setWork((before) => ({
      ...before,
      history: record(before.history, rules),
      market: timeframe ? { ...before.market, timeframe } : before.market,
    }));
  };

  const isText = typed !== undefined && typed.of === draft;
  const isTextBroken = isText && typed.isBroken;
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
          {isNew && (
            <Setup
              market={work.market}
              onMarket={(market) => {
                setNameTaken(false);
                setWork((before) => ({ ...before, market }));
              }}
              isMade={work.target !== undefined}
              hasRules={work.saved !== undefined}
              nameError={
                isNameTaken ? 'You have a strategy of this name already. Choose another.' : undefined
              }
            />
          )}
          <Templates onChoose={choose} />
          <Status checked={checked} />
          <div class="row row-apart">
            <Tabs
              label="View of the rules"
              items={[
                { key: 'rows', label: 'Rows' },
                { key: 'text', label: 'Text' },
              ]}
              current={shown}
              onChoose={(key) => setView(key === 'text' ? 'text' : 'rows')}
            />
            <div class="row">
              <Button
                disabled={work.history.past.length === 0}
                aria-keyshortcuts="Control+Z"
                onClick={() => setHistory(undo)}
              >
                Undo
              </Button>
              <Button
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
              Rows cannot show these rules. Correct the text, or begin with a template.
            </Notice>
          )}
          {shown === 'rows' && isTextBroken && (
            <Notice kind="warn">
              The text has a mistake. These rows show the rules before it, and a change here discards the
              text.
            </Notice>
          )}
          {shown === 'rows' ? (
            <RowsView />
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
        </div>
        <div class="builder-side">
          {strategy && <RecordNotice strategy={strategy} />}
          <SaveCard state={state} isNew={isNew} isTextBroken={isTextBroken} onNameTaken={setNameTaken} />
          <BacktestPanel
            rules={'rules' in checked && !isTextBroken ? checked.rules : undefined}
            canonical={'canonical' in checked ? checked.canonical : undefined}
            market={work.market}
            strategyId={work.target?.strategyId}
          />
        </div>
      </div>
    </EditorContext.Provider>
  );
};
