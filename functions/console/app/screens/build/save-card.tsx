import { useEffect, useState } from 'preact/hooks';
import { newIdempotencyKey, type StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import type { Rules } from '../../../../../shared/domain/engine/rules/shape.ts';
import { attemptFor } from '../../attempt.ts';
import { DeployDialog } from '../../deploy/deploy-dialog.tsx';
import { hub, ME } from '../../hub.ts';
import { navigate } from '../../router.ts';
import { isRulesChanged } from '../../rules/changed.ts';
import { record } from '../../rules/history.ts';
import { jsonOf } from '../../rules/json.ts';
import { user } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { works } from './kept-work.ts';
import { isNameTaken, makeStrategy, saveRules, type Target } from './save.ts';
import type { WorkState } from './use-work.ts';

interface SaveCardProps {
  readonly state: WorkState;
  readonly isNew: boolean;
  /** True while the text cannot be read. */
  readonly isTextBroken: boolean;
  /** Tells that the name is taken. */
  readonly onNameTaken: (isTaken: boolean) => void;
}

const missingText = ({ work: { market }, checked }: WorkState, isTextBroken: boolean): string | undefined => {
  if (isTextBroken) return 'Fix the text first.';
  if ('problems' in checked) return 'Fix the rules first.';
  if (market.name.trim() === '') return 'Give it a name first.';
  return market.symbols.length === 0 ? 'Choose an instrument first.' : undefined;
};

interface ConflictProps {
  readonly stored: StrategyRulesOut;
  readonly onTake: () => void;
  readonly onReplace: () => void;
  readonly onClose: () => void;
}

/** Choice between the own rules and those that were saved meanwhile. */
const Conflict = ({ stored, onTake, onReplace, onClose }: ConflictProps) => (
  <Dialog title="The rules were changed meanwhile" open onClose={onClose}>
    <div class="stack">
      <p>
        Another window or program saved rules for this strategy
        {stored.versions[0] && (
          <>
            {' '}
            on <When at={stored.versions[0].changed_at} />
          </>
        )}
        . Yours are not saved.
      </p>
      {stored.sentence !== null && <p class="rules-sentence">{stored.sentence}</p>}
      <div class="actions dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button onClick={onTake}>Show theirs</Button>
        <Button kind="danger" onClick={onReplace}>
          Save mine over them
        </Button>
      </div>
    </div>
  </Dialog>
);

/** Saves a new strategy or the rules of one, tells conflicts, and deploys what is saved. */
export const SaveCard = ({ state, isNew, isTextBroken, onNameTaken }: SaveCardProps) => {
  const { work, checked, isDirty, setWork, setHistory } = state;
  const [stored, setStored] = useState<StrategyRulesOut>();
  const [isDeploying, setDeploying] = useKeptFlag('deploy');
  const rules = 'rules' in checked ? checked.rules : undefined;

  const saveTo = async (target: Target, saved: Rules): Promise<void> => {
    try {
      const next = await saveRules(target, saved);
      setWork((before) => ({ ...before, saved: jsonOf(saved), target: next }));
      setStored(undefined);
    } catch (error) {
      if (!isRulesChanged(error)) throw error;
      setStored(await hub.getStrategy({ user_id: ME, strategy_id: target.strategyId }));
    }
  };

  const make = async (): Promise<Target> => {
    const { name, symbols, timeframe } = work.market;
    const asked = [name.trim(), symbols, timeframe];
    const attempt = attemptFor(asked, work.attempt, newIdempotencyKey);
    setWork((before) => ({ ...before, attempt }));
    try {
      const target = await makeStrategy(work.market, attempt.key);
      setWork((before) => ({ ...before, target }));
      return target;
    } catch (error) {
      onNameTaken(isNameTaken(error));
      throw error;
    }
  };

  const action = useAction(async () => {
    if (!rules) return;
    onNameTaken(false);
    await saveTo(work.target ?? (await make()), rules);
  });

  const replace = useAction(async () => {
    if (!rules || !stored) return;
    await saveTo({ strategyId: stored.strategy_id, rulesVersion: stored.rules_version ?? 0 }, rules);
  });

  const take = (): void => {
    if (!stored?.rules) return;
    const theirs = jsonOf(stored.rules);
    setHistory((before) => record(before, theirs));
    setWork((before) => ({
      ...before,
      saved: theirs,
      target: { strategyId: stored.strategy_id, rulesVersion: stored.rules_version ?? 0 },
    }));
    setStored(undefined);
  };

  // From the first save on, the strategy has an address of its own. Its history of edits goes along.
  const madeId = isNew && work.saved !== undefined && !isDirty ? work.target?.strategyId : undefined;
  useEffect(() => {
    if (madeId === undefined) return;
    works.keep(user.peek()?.userKey ?? '', String(madeId), work);
    navigate(`/strategies/${madeId}/build`, { replace: true });
  }, [madeId]);

  const missing = missingText(state, isTextBroken);
  const strategyId = work.target?.strategyId;
  const isSaved = !isNew && !isDirty && missing === undefined;
  return (
    <section class="card save-card" aria-label="Save">
      <div class="row">
        <Button
          kind={isSaved ? 'plain' : 'primary'}
          busy={action.isBusy || replace.isBusy}
          disabled={missing !== undefined || (!isNew && !isDirty)}
          onClick={() => void action.run()}
        >
          {isNew && !work.target ? 'Save the strategy' : 'Save the rules'}
        </Button>
        <span class="muted" role="status">
          {missing ?? (isDirty ? 'Not saved yet.' : 'Saved.')}
        </span>
        {isSaved && (
          <Button kind="primary" onClick={() => setDeploying(true)}>
            Deploy
          </Button>
        )}
      </div>
      <Problem of={action.error}>
        {work.target && isNew && (
          <> The strategy exists, but without these rules. Save again: no second one is made.</>
        )}
      </Problem>
      <Problem of={replace.error} />
      {strategyId !== undefined && (
        <p class="muted">Running deployments keep the rules that they started with.</p>
      )}
      {strategyId !== undefined && (
        <DeployDialog
          strategy={{ strategy_id: strategyId, strategy_name: work.market.name }}
          open={isDeploying}
          onClose={() => setDeploying(false)}
        />
      )}
      {stored && (
        <Conflict
          stored={stored}
          onTake={take}
          onReplace={() => void replace.run()}
          onClose={() => setStored(undefined)}
        />
      )}
    </section>
  );
};
