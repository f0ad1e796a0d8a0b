import type { GetPriceFeedsOutput } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem, Tag } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { reasonText } from './reasons.ts';

type Feed = GetPriceFeedsOutput['feeds'][number];

/** Time after which the state of a feed is read again: it is pulled every minute. */
const EVERY_MS = 10_000;

const PROVIDERS: Readonly<Record<Feed['provider'], string>> = { alpaca: 'Alpaca', binance: 'Binance' };

const State = ({ of: feed }: { of: Feed }) => {
  if (!feed.is_on) return <Tag kind="info">Off</Tag>;
  return feed.down ? <Tag kind="bad">No answer</Tag> : <Tag kind="good">On</Tag>;
};

const FeedCard = ({ of: feed, onSwitched }: { of: Feed; onSwitched: () => void }) => {
  const provider = PROVIDERS[feed.provider];
  const action = useAction(async () => {
    await hub.switchPriceFeed({ user_id: ME, body: { feed: feed.name, on: !feed.is_on } });
    onSwitched();
  });
  return (
    <section class="card stack" aria-label={`Public prices of ${provider}`}>
      <h2>
        Public prices of {provider} <State of={feed} />
      </h2>
      <p>{feed.symbols.join(', ')}</p>
      {feed.down && (
        <Notice kind="bad">
          {reasonText(feed.down.reason)} Since <When at={feed.down.since} />; the next try is at{' '}
          <When at={feed.down.retry_at} />.
        </Notice>
      )}
      {feed.series_refused.map(({ symbol, reason }) => (
        <Notice key={symbol} kind="warn">
          {symbol}: {reasonText(reason)}
        </Notice>
      ))}
      <ul>
        <li>
          <strong>Calls</strong>: <code>{feed.address}/api/v3/klines</code>, which serves public market data
          without an account or a key.
        </li>
        <li>
          <strong>How often</strong>: Once for each pair and length of candle when it begins, for the last
          1,000 candles. Then every minute, one call for each pair.
        </li>
        <li>
          <strong>What leaves this machine</strong>: The name of the pair, the length of a candle and a span
          of time; {provider} also sees the address of your network. Nothing about you, your strategies or
          your trades.
        </li>
        <li>
          <strong>How it ends</strong>: With the button, or with the service. What was stored stays. If{' '}
          {provider} does not answer, or limits or refuses calls, the service waits longer each time, and this
          page says so.
        </li>
      </ul>
      <Problem of={action.error} />
      <div class="actions">
        <Button
          kind={feed.is_on ? 'plain' : 'primary'}
          busy={action.isBusy}
          onClick={() => void action.run()}
        >
          {feed.is_on ? 'Switch off' : 'Switch on'}
        </Button>
      </div>
      {feed.is_on && !feed.down && (
        <p class="muted">The first candles arrive within a minute. Then test and trade {feed.symbols[0]}.</p>
      )}
    </section>
  );
};

/** Ways to prices on this service: public feeds, replays, the demo market and feeds of an operator. */
const PricesScreen = (_: ScreenProps) => {
  const feeds = useResource((signal) => hub.getPriceFeeds({ user_id: ME }, { signal }), [], {
    everyMs: EVERY_MS,
  });
  return (
    <Screen
      title="Prices"
      lead="Deployments decide at the close of each candle, so they need candles that arrive."
      actions={<LinkButton href="#/strategies">Strategies</LinkButton>}
    >
      <Loaded of={feeds}>
        {({ feeds: all, can_replay }) => (
          <>
            {all.map((feed) => (
              <FeedCard key={feed.name} of={feed} onSwitched={feeds.reload} />
            ))}
            {all.length === 0 && (
              <Notice>
                The operator of this service chooses its feeds. Searches show which prices arrive.
              </Notice>
            )}
            {can_replay && (
              <section class="card">
                <h2>Replay of recorded candles</h2>
                <p>
                  Deploy a strategy on paper, and choose “Replay of recorded candles”: they are fed once more
                  from a past day on, at your speed. Nothing leaves this machine.
                </p>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
};

export default PricesScreen;
