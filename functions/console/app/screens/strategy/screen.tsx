import { HubApiError } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { OwnStrategy } from './own-strategy.tsx';
import { PublicStrategy } from './public-strategy.tsx';

const Unknown = () => (
  <Screen title="No such strategy">
    <p>There is no strategy at this address, or its author has made it private.</p>
    <div class="actions">
      <LinkButton href="#/explore">Explore</LinkButton>
      <LinkButton href="#/strategies">Your strategies</LinkButton>
    </div>
  </Screen>
);

const isUnknown = (error: unknown): boolean =>
  error instanceof HubApiError && (error.status === 404 || error.status === 422);

const Strategy = ({ params: { id = '' } }: ScreenProps) => {
  const strategyId = /^\d{1,16}$/.test(id) ? Number(id) : 0;
  const strategy = useResource(
    (signal) => hub.getStrategy({ user_id: ME, strategy_id: strategyId }, { signal }),
    [strategyId],
  );
  const { value, error, reload } = strategy;
  if (!value) {
    if (isUnknown(error)) return <Unknown />;
    return (
      <Screen title="Strategy">
        <Loaded of={strategy}>{() => null}</Loaded>
      </Screen>
    );
  }
  if (!value.is_own) return <PublicStrategy strategy={value} />;
  return <OwnStrategy strategy={value} onChanged={reload} />;
};

export default Strategy;
