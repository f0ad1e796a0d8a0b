import { HubApiError } from '../../../../infra/client/package/src/index.ts';
import type { Timeframe } from '../../../../shared/domain/strategies/strategies.ts';
import { hub } from '../hub.ts';
import { Notice } from '../ui/notice.tsx';
import { useResource } from '../ui/use-resource.ts';
import { type NewestBar, oldPricesTexts } from './price-freshness.ts';

/** Reads the newest bar of a symbol; undefined if its source does not allow showing it. */
const newestBarOf = async (
  symbol: string,
  timeframe: Timeframe,
  signal: AbortSignal,
): Promise<NewestBar | undefined> => {
  try {
    const { candles } = await hub.getCandles({ symbol, timeframe, limit: 1 }, { signal });
    return { symbol, start: candles.at(-1)?.start ?? null };
  } catch (error) {
    if (!(error instanceof HubApiError)) throw error;
    if (error.code === 'candles_unknown') return { symbol, start: null };
    if (error.code === 'candles_hidden') return undefined;
    throw error;
  }
};

interface OldPricesProps {
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
}

const EVERY_MS = 60_000;

/** Says that a deployment gets no new bars, as the prices of its symbols end in the past. Nothing while they go on. */
export const OldPrices = ({ symbols, timeframe }: OldPricesProps) => {
  const bars = useResource(
    (signal) => Promise.all(symbols.map((symbol) => newestBarOf(symbol, timeframe, signal))),
    [symbols, timeframe],
    { everyMs: EVERY_MS },
  );
  const known = (bars.value ?? []).filter((bar) => bar !== undefined);
  const texts = oldPricesTexts(known, timeframe, Date.now());
  if (texts.length === 0) return null;
  return (
    <Notice kind="warn">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>It decides at the close of each bar, so nothing happens until newer bars arrive.</p>
    </Notice>
  );
};
