import { type Bar, type BarColumns, barAt, barCount } from '../../shared/domain/candles/bars.ts';

type Side = 1 | -1;

/** An entry of the plain reference. Distances are percentages. */
export interface PlainEntry {
  readonly side: Side;
  readonly kind: 'market' | 'limit' | 'stop';
  /** Length of the average that the close crosses: up for longs, down for shorts. */
  readonly length: number;
  readonly offset: number;
  readonly valid_bars: number;
  readonly size: { readonly type: 'units' | 'equity_percent'; readonly amount: number };
  readonly stop?: number | undefined;
  readonly target?: number | undefined;
  readonly trailing?: number | undefined;
}

/** Rules of the plain reference. */
export interface PlainRules {
  readonly entries: readonly PlainEntry[];
  /** An exit of each side after bars in the trade. */
  readonly exit_after: number;
  readonly reverse: boolean;
  readonly pyramid: boolean;
  readonly max_trades: number;
  readonly cooldown: number;
}

/** Terms of the account. */
export interface PlainTerms {
  readonly capital: number;
  readonly fee: number;
  readonly slippage: number;
  readonly spread: number;
  readonly margin: number;
  readonly maintenance: number;
  readonly step: number;
  readonly fill_at: 'next_open' | 'signal_close';
  /** Number of hours that only warm up. */
  readonly evaluated_from?: number;
}

interface Trade {
  readonly rule: PlainEntry;
  readonly side: Side;
  quantity: number;
  readonly price: number;
  readonly bar: number;
  readonly at: number;
  readonly fee: number;
  stop: number;
  readonly target: number;
  isTrailed: boolean;
  closing: string | undefined;
}

interface Order {
  readonly rule: PlainEntry;
  readonly bar: number;
  readonly close: number;
}

/** A closed trade: what is compared. */
interface PlainTrade {
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entry_at: number;
  readonly entry_price: number;
  readonly exit_at: number;
  readonly exit_price: number;
  readonly exit_reason: string;
}

const worse = (side: Side, price: number, level: number): boolean =>
  side === 1 ? price <= level : price >= level;
const better = (side: Side, price: number, level: number): boolean =>
  side === 1 ? price >= level : price <= level;

/**
 * Trades rules plainly: decides at the closes of hours, and fills minute by minute. Written for comparison, and without
 * the code of the engine.
 */
export const plainMinutes = (
  rules: PlainRules,
  terms: PlainTerms,
  hours: BarColumns,
  minutesOf: (hour: number) => readonly Bar[],
) => {
  const count = barCount(hours);
  const closes = [...hours.close];
  const trades: Trade[] = [];
  const orders: Order[] = [];
  const closed: PlainTrade[] = [];
  const equity: number[] = [];
  let cash = terms.capital;
  let isOver = false;
  let lastExit = Number.NEGATIVE_INFINITY;
  let lastFill = Number.NEGATIVE_INFINITY;
  let openMinutes = 0;

  const equityAt = (price: number): number =>
    trades.reduce((sum, { side, quantity, price: entry }) => sum + side * quantity * (price - entry), cash);

  const close = (trade: Trade, price: number, reason: string, bar: number, at: number): void => {
    cash += trade.side * trade.quantity * (price - trade.price) - terms.fee * trade.quantity * price;
    trades.splice(trades.indexOf(trade), 1);
    lastExit = bar;
    lastFill = at;
    closed.push({
      side: trade.side === 1 ? 'long' : 'short',
      quantity: trade.quantity,
      entry_at: trade.at,
      entry_price: trade.price,
      exit_at: at,
      exit_price: price,
      exit_reason: reason,
    });
  };

  /** The price at which equity meets the maintenance of the trades, which all have one side. */
  const liquidation = (): number => {
    const [first] = trades;
    if (!first) return Number.NaN;
    const quantity = trades.reduce((sum, trade) => sum + trade.quantity, 0);
    const value = trades.reduce((sum, trade) => sum + trade.quantity * trade.price, 0);
    const zero = first.side === 1 ? value - cash : value + cash;
    const part = first.side === 1 ? 1 - terms.maintenance : 1 + terms.maintenance;
    if (zero <= 0) return zero / (quantity * (2 - part));
    return zero / (quantity * part);
  };

  /** Settles trades by a minute. `begins` has the price of entries within it. */
  const settle = (
    minute: Bar,
    hour: number,
    begins?: ReadonlyMap<Trade, readonly [string, number]>,
  ): void => {
    /** Kind and price of the worst close so far, from which on the others are judged. */
    let last: readonly [string, number] | undefined;
    const worst = (side: Side, one: number, other: number): number => (worse(side, one, other) ? one : other);
    const beginOf = (trade: Trade): readonly [string, number] => {
      const own = begins ? begins.get(trade) : (['open', minute.open] as const);
      if (!last) return own ?? ['none', 0];
      const [kind, begin] = own ?? [last[0], minute.open];
      return [kind, worst(trade.side, last[1], begin)];
    };
    for (;;) {
      const level = liquidation();
      let closing: readonly [string, number] | undefined;
      let liquidated: number | undefined;
      let wasOpen = false;
      const count = closed.length;
      for (const trade of [...trades]) {
        const [kind, begin] = beginOf(trade);
        if (kind === 'none') continue;
        const { side } = trade;
        const isFirst = Number.isNaN(trade.stop) || (side === 1 ? level > trade.stop : level < trade.stop);
        const stop = isFirst ? level : trade.stop;
        const low = side === 1 ? minute.low : minute.high;
        const high = side === 1 ? minute.high : minute.low;
        const toStop = worse(side, low, stop);
        const toTarget = better(side, high, trade.target);
        let fill: [string, number] | undefined;
        if (worse(side, begin, stop)) fill = ['stop', begin];
        else if (better(side, begin, trade.target)) fill = ['target', begin];
        else if (toStop && toTarget) {
          wasOpen = true;
          fill = ['stop', stop];
        } else if (toStop) {
          if (kind === 'stop' && !worse(side, minute.close, stop)) wasOpen = true;
          fill = ['stop', stop];
        } else if (toTarget) {
          if (kind !== 'limit' || better(side, minute.close, trade.target)) fill = ['target', trade.target];
          else wasOpen = true;
        }
        if (!fill) continue;
        const [what, price] = fill;
        if (what === 'stop' && isFirst) {
          liquidated = liquidated === undefined ? price : worst(side, liquidated, price);
          continue;
        }
        closing = [kind, closing ? worst(side, closing[1], price) : price];
        if (what === 'target') close(trade, price, 'take_profit', hour, minute.start);
        else {
          const reason = trade.isTrailed ? 'trailing_stop' : 'stop_loss';
          close(trade, price * (1 - side * terms.slippage), reason, hour, minute.start);
        }
      }
      if (wasOpen) openMinutes += 1;
      if (closed.length > count) {
        last = closing;
        if (trades.length > 0) continue;
      } else if (liquidated !== undefined) {
        const value = trades.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
        for (const trade of [...trades]) {
          close(trade, liquidated * (1 - trade.side * terms.slippage), 'liquidated', hour, minute.start);
        }
        if (Math.abs(cash) < value * 1e-9) cash = 0;
      }
      return;
    }
  };

  /** Enters an order at a price. @param mark price of the other trades. */
  const enter = (order: Order, touched: number, bar: number, at: number, mark: number): Trade | undefined => {
    const { rule } = order;
    const { side, size } = rule;
    if (trades.some((trade) => trade.side !== side)) return undefined;
    const raw = rule.kind === 'limit' ? touched : touched * (1 + side * terms.slippage);
    const price = raw * (1 + side * terms.spread);
    const used = trades.reduce((sum, { quantity }) => sum + quantity * mark, 0);
    const available = Math.max(0, equityAt(mark) - used * terms.margin) / terms.margin;
    const wanted =
      size.type === 'units' ? size.amount : ((size.amount / 100) * available) / (price + terms.fee * raw);
    const steps = wanted / terms.step;
    const whole = Math.abs(steps - Math.round(steps)) < 1e-9 ? Math.round(steps) : Math.floor(steps);
    const quantity = whole * terms.step;
    if (whole <= 0) return undefined;
    if (size.type === 'units' && quantity * (price + terms.fee * raw) > available * (1 + 1e-9))
      return undefined;
    const fee = terms.fee * quantity * price;
    cash -= fee;
    const away = (percent: number | undefined, sign: number): number =>
      percent === undefined ? Number.NaN : price * (1 + (sign * percent) / 100);
    const trade: Trade = {
      rule,
      side,
      quantity,
      price,
      bar,
      at,
      fee,
      stop: away(rule.stop, -side),
      target: away(rule.target, side),
      isTrailed: false,
      closing: undefined,
    };
    trades.push(trade);
    lastFill = at;
    return trade;
  };

  const average = (length: number, index: number): number =>
    closes.slice(index - length + 1, index + 1).reduce((sum, value) => sum + value, 0) / length;

  const isSignal = ({ side, length }: PlainEntry, hour: number): boolean => {
    const before = (closes[hour - 1] ?? 0) - average(length, hour - 1);
    const now = (closes[hour] ?? 0) - average(length, hour);
    return side === 1 ? before < 0 && now > 0 : before > 0 && now < 0;
  };
  const evaluatedFrom = Math.max(terms.evaluated_from ?? 0, ...rules.entries.map(({ length }) => length));

  const decide = (hour: number): void => {
    for (const trade of trades) {
      if (trade.rule.trailing === undefined) continue;
      const moved = (closes[hour] ?? 0) * (1 - (trade.side * trade.rule.trailing) / 100);
      if (!Number.isNaN(trade.stop) && (moved - trade.stop) * trade.side <= 0) continue;
      trade.stop = moved;
      trade.isTrailed = true;
    }
    for (const order of [...orders]) {
      if (hour - order.bar >= order.rule.valid_bars) orders.splice(orders.indexOf(order), 1);
    }
    if (hour < evaluatedFrom) return;
    const exiting = ([1, -1] as const).find((side) => {
      const oldest = trades.find((trade) => trade.side === side);
      return oldest && hour - oldest.bar >= rules.exit_after;
    });
    if (exiting) for (const trade of trades) if (trade.side === exiting) trade.closing ??= 'exit';
    for (const rule of rules.entries) {
      if (!isSignal(rule, hour) || hour - lastExit < rules.cooldown) continue;
      if (!rules.reverse && trades.some(({ side }) => side !== rule.side)) continue;
      const own = [...trades, ...orders.map((order) => order.rule)].filter(
        ({ side }) => side === rule.side,
      ).length;
      if (
        rules.pyramid
          ? own >= rules.max_trades
          : orders.length > 0 || trades.some(({ side }) => side === rule.side)
      )
        continue;
      if (rules.reverse)
        for (const trade of trades) if (trade.side !== rule.side) trade.closing ??= 'reverse';
      orders.push({ rule, bar: hour, close: closes[hour] ?? 0 });
      return;
    }
  };

  for (let hour = 0; hour < count; hour += 1) {
    const minutes = minutesOf(hour);
    const [first] = minutes;
    const isBooked = terms.fill_at === 'signal_close';
    if (!isOver && first) {
      const market = isBooked ? (closes[hour - 1] ?? 0) : first.open;
      const bar = isBooked ? hour - 1 : hour;
      // A close of an hour is after the fills within it.
      const at = isBooked ? Math.max(hours.start[hour - 1] ?? 0, lastFill) : first.start;
      for (const trade of [...trades]) {
        if (trade.closing) close(trade, market * (1 - trade.side * terms.slippage), trade.closing, bar, at);
      }
      if (isBooked) {
        for (const order of orders.filter(({ rule }) => rule.kind === 'market')) {
          orders.splice(orders.indexOf(order), 1);
          enter(order, market, bar, at, market);
        }
      }
      for (const minute of minutes) {
        if (trades.length === 0 && cash <= 0) break;
        settle(minute, hour);
        const begins = new Map<Trade, readonly [string, number]>();
        for (const order of [...orders]) {
          const { rule } = order;
          const { side, kind } = rule;
          const price = order.close * (1 + (side * rule.offset) / 100);
          const reaches = (at: number) =>
            kind === 'limit' ? worse(side, at, price) : better(side, at, price);
          const extreme = (kind === 'limit') === (side === 1) ? minute.low : minute.high;
          const isAtOpen = kind === 'market' || reaches(minute.open);
          if (!isAtOpen && !reaches(extreme)) continue;
          orders.splice(orders.indexOf(order), 1);
          const touched = isAtOpen ? minute.open : price;
          const trade = enter(order, touched, hour, minute.start, minute.open);
          if (trade) begins.set(trade, [isAtOpen ? 'open' : kind, touched]);
        }
        if (begins.size > 0) settle(minute, hour, begins);
      }
      if (equityAt(closes[hour] ?? 0) > 0) decide(hour);
      else isOver = true;
    }
    equity.push(equityAt(closes[hour] ?? 0));
  }
  return { closed, open: trades.length, equity, openMinutes };
};

/** Returns the bars of columns from one index to another. */
export const rowsOf = (bars: BarColumns, from: number, to: number): Bar[] =>
  Array.from({ length: to - from }, (_, index) => barAt(bars, from + index)).filter(
    (bar) => bar !== undefined,
  );
