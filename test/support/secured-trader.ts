import { findAccess } from '../../shared/broker-orders/execution-runtime.ts';
import { attendProtection, takeProtection } from '../../shared/broker-orders/protection/attend-protection.ts';
import { findProtections } from '../../shared/data/execution/protections.ts';
import { carryUserLimits, setOverallLimits } from '../../shared/lifecycle/risk-limits.ts';
import type { FakeAlpaca } from './alpaca.ts';
import { addPasskey, signInWithPasskey } from './authenticator.ts';
import { adapterOf, liveTrader, orderEvent, take } from './execution.ts';
import type { Request, Response, TestHub } from './hub.ts';
import { bearer } from './people.ts';

const MINUTE = 60_000;
const PRICE = 100;
const PROTECTION = { stop: { factor: '0.95', offset: '0' } };

/**
 * Makes a user with second factors, limits over all deployments and a protected trade at a broker. Each round changes all
 * of them; the stop of the trade fills a bit more.
 */
export const securedTrader = async (
  hub: TestHub,
  alpaca: FakeAlpaca,
  call: (route: string, request: Request) => Promise<Response>,
): Promise<(round: number) => Promise<void>> => {
  const trader = await liveTrader(hub, alpaca, 'BTCUSD');
  const { user_id, id } = trader;
  const adapter = adapterOf(hub);
  const key = await addPasskey(hub, trader);

  const changeFactors = async (): Promise<void> => {
    const { body } = await signInWithPasskey(hub, key);
    const asked = { query: { user_id }, headers: bearer(body.access_token) };
    await call('POST /add_totp', asked);
    await call('POST /make_recovery_codes', asked);
  };

  const limit = async (round: number): Promise<void> => {
    await setOverallLimits(hub.runtime, user_id, { all: { currency: 'USD', orders_per_day: 1000 + round } });
    await carryUserLimits(hub.runtime, id, user_id);
  };

  const enter = async (): Promise<void> => {
    alpaca.setPrice('BTC/USD', String(PRICE));
    const order = { symbol: 'BTCUSD', quantity: '20', protection: PROTECTION };
    await take(adapter, orderEvent(hub, trader, 'BTCUSD:1:e0', order));
  };

  const fillStop = async (round: number): Promise<void> => {
    const stop = alpaca.orders.find(({ stop_price }) => stop_price !== null);
    const [protection] = await findProtections(hub.runtime.store, id);
    if (!stop || !protection) throw new Error('the trade has no stop at the broker');
    alpaca.fill(stop, String(round), '95');
    hub.advance(MINUTE);
    const access = await findAccess(adapter.work, protection);
    if (!access) throw new Error('the account is not connected');
    await attendProtection(adapter.work, await takeProtection(adapter.work, protection), access);
  };

  return async (round) => {
    await changeFactors();
    await limit(round);
    if (round === 1) await enter();
    await fillStop(round);
  };
};
