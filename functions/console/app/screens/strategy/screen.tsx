import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { askable, idOf, isMissing } from '../../ui/ids.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { OwnStrategy } from './own-strategy.tsx';
import { PublicStrategy } from './public-strategy.tsx';

const WAYS = [
  { href: '#/explore', label: 'Explore' },
  { href: '#/strategies', label: 'Your strategies' },
] as const;

const Strategy = ({ params }: ScreenProps) => {
  const id = idOf(params.id);
  const strategy = useResource(
    async (signal) => hub.getStrategy({ user_id: ME, strategy_id: askable(id) }, { signal }),
    [id],
  );
  const { value, error, reload } = strategy;
  if (!value) {
    if (isMissing(error)) {
      return <Missing thing="strategy" reason="its author has made it private" ways={WAYS} />;
    }
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
