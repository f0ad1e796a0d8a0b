import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { AddOns } from './add-ons.tsx';
import { Manage } from './manage.tsx';
import { Versions } from './versions.tsx';
import { VisibilitySection } from './visibility.tsx';

export interface OwnershipProps {
  readonly strategy: StrategyRulesOut;
  readonly onChanged: () => void;
}

/** Versions of an own strategy, and the choices that its owner alone has. */
export const Ownership = ({ strategy, onChanged }: OwnershipProps) => (
  <>
    <Versions strategy={strategy} />
    <VisibilitySection strategy={strategy} onChanged={onChanged} />
    <AddOns strategyId={strategy.strategy_id} />
    <Manage strategy={strategy} onChanged={onChanged} />
  </>
);
