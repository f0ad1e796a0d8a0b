import { type HeldOrder, isOpen, lockedOf, type Market, PAIRS, type Pair, shown, totalOf } from './market.ts';

const common = (order: HeldOrder) => ({
  symbol: order.symbol,
  orderId: order.orderId,
  orderListId: order.orderListId,
  clientOrderId: order.clientOrderId,
  price: shown(order.price),
  origQty: shown(order.quantity),
  executedQty: shown(order.executed),
  origQuoteOrderQty: '0.000000',
  cummulativeQuoteQty: shown(order.value),
  status: order.status,
  timeInForce: order.timeInForce,
  type: order.type,
  side: order.side,
  selfTradePreventionMode: 'NONE',
});

/** Answer to a lookup. */
export const detailsOf = (order: HeldOrder) => ({
  ...common(order),
  stopPrice: shown(order.stopPrice),
  icebergQty: '0.00000000',
  time: order.time,
  updateTime: order.updateTime,
  isWorking: order.isWorking,
  workingTime: order.isWorking ? order.updateTime : -1,
});

/** Answer to a placed order, of the type FULL. */
export const placedOf = (market: Market, order: HeldOrder) => ({
  ...common(order),
  ...(order.stopPrice.gt(0) && { stopPrice: shown(order.stopPrice) }),
  transactTime: order.updateTime,
  workingTime: order.isWorking ? order.updateTime : -1,
  fills: market.trades
    .filter(({ orderId }) => orderId === order.orderId)
    .map(({ id, price, quantity, commission, commissionAsset }) => ({
      price: shown(price),
      qty: shown(quantity),
      commission: shown(commission),
      commissionAsset,
      tradeId: id,
    })),
});

/** Answer to a cancelled order, whose own id is that of the cancel. */
export const cancelledOf = (order: HeldOrder) => ({
  ...common(order),
  origClientOrderId: order.clientOrderId,
  clientOrderId: 'pXLV6Hz6mprAcVYpVMTGgx',
  transactTime: order.updateTime,
});

/** Order list, by its orders. */
export const listOf = (orders: readonly HeldOrder[]) => {
  const [first] = orders;
  const isOver = orders.every((order) => !isOpen(order));
  return {
    orderListId: first?.orderListId ?? -1,
    contingencyType: 'OCO',
    listStatusType: isOver ? 'ALL_DONE' : 'EXEC_STARTED',
    listOrderStatus: isOver ? 'ALL_DONE' : 'EXECUTING',
    listClientOrderId: 'list',
    transactionTime: first?.time ?? 0,
    symbol: first?.symbol ?? '',
    orders: orders.map(({ symbol, orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
  };
};

/** Answer to a placed list, of the type RESULT. */
export const placedListOf = (orders: readonly HeldOrder[]) => ({
  ...listOf(orders),
  orderReports: orders.map((order) => ({
    ...common(order),
    stopPrice: shown(order.stopPrice),
    transactTime: order.updateTime,
    workingTime: order.isWorking ? order.updateTime : -1,
  })),
});

/** Trades of an order. */
export const tradesOf = ({ trades }: Market, symbol: string, orderId: number) =>
  trades
    .filter((trade) => trade.symbol === symbol && trade.orderId === orderId)
    .map(({ id, price, quantity, commission, commissionAsset, isBuyer, time }) => ({
      symbol,
      id,
      orderId,
      orderListId: -1,
      price: shown(price),
      qty: shown(quantity),
      quoteQty: shown(price.times(quantity)),
      commission: shown(commission),
      commissionAsset,
      time,
      isBuyer,
      isMaker: false,
      isBestMatch: true,
    }));

/** Account with its balances. */
export const accountOf = (market: Market, { uid, canTrade }: { uid: number; canTrade: boolean }) => ({
  makerCommission: 10,
  takerCommission: 10,
  buyerCommission: 0,
  sellerCommission: 0,
  commissionRates: { maker: market.feeRate, taker: market.feeRate, buyer: '0', seller: '0' },
  canTrade,
  canWithdraw: true,
  canDeposit: true,
  brokered: false,
  requireSelfTradePrevention: false,
  preventSor: false,
  updateTime: market.clock().getTime(),
  accountType: 'SPOT',
  balances: [...market.totals.keys()]
    .map((asset) => ({ asset, total: totalOf(market, asset), locked: lockedOf(market, asset) }))
    .filter(({ total }) => !total.eq(0))
    .map(({ asset, total, locked }) => ({ asset, free: shown(total.minus(locked)), locked: shown(locked) })),
  permissions: ['SPOT'],
  uid,
});

const symbolOf = (pair: Pair) => ({
  symbol: pair.symbol,
  status: 'TRADING',
  baseAsset: pair.base,
  baseAssetPrecision: 8,
  quoteAsset: pair.quote,
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: pair.orderTypes,
  icebergAllowed: true,
  ocoAllowed: pair.ocoAllowed,
  otoAllowed: true,
  quoteOrderQtyMarketAllowed: true,
  allowTrailingStop: true,
  cancelReplaceAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: pair.tick, maxPrice: '1000000.00000000', tickSize: pair.tick },
    { filterType: 'LOT_SIZE', minQty: pair.minQty, maxQty: '9000.00000000', stepSize: pair.step },
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '100', stepSize: pair.marketStep },
    { filterType: 'A_NEW_FILTER', limit: 1 },
    { filterType: 'NOTIONAL', minNotional: pair.minNotional, maxNotional: pair.maxNotional, avgPriceMins: 5 },
  ],
  permissions: [],
  permissionSets: [['SPOT']],
  defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
  allowedSelfTradePreventionModes: ['EXPIRE_MAKER'],
});

/** Rules of a symbol. */
export const exchangeInfoOf = (symbol: string, serverTime: number) => ({
  timezone: 'UTC',
  serverTime,
  rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 }],
  exchangeFilters: [],
  symbols: PAIRS.filter((pair) => pair.symbol === symbol).map(symbolOf),
});

/** Permissions of the key. */
export const restrictionsOf = (key: { canWithdraw: boolean; canTrade: boolean }, createTime: number) => ({
  ipRestrict: true,
  createTime,
  enableReading: true,
  enableWithdrawals: key.canWithdraw,
  enableInternalTransfer: false,
  enableMargin: false,
  enableFutures: false,
  permitsUniversalTransfer: false,
  enableVanillaOptions: false,
  enableSpotAndMarginTrading: key.canTrade,
  tradingAuthorityExpirationTime: 0,
});
