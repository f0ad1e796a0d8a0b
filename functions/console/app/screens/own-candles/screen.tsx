import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { ImportForm } from './import-form.tsx';
import { StoredSeries } from './stored-series.tsx';

/** Candles that the user imported, and the form that imports more. */
const OwnCandlesScreen = (_: ScreenProps) => {
  const stored = useResource((signal) => hub.getOwnCandles({ user_id: ME }, { signal }), []);
  return (
    <Screen
      title="Your candles"
      lead="Test rules on candles of your own: from your broker, another program or another service. Only you see them, and only your backtests and sweeps use them."
      actions={<LinkButton href="#/backtests">Backtests</LinkButton>}
    >
      <ImportForm stored={stored.value?.items ?? []} onImported={stored.reload} />
      <Loaded of={stored}>{(list) => <StoredSeries list={list} onRemoved={stored.reload} />}</Loaded>
    </Screen>
  );
};

export default OwnCandlesScreen;
