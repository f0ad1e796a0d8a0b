import type { LiveDeployment } from '../../shared/data/deployments.ts';
import type { Contract, InstrumentMemory } from '../../shared/data/instrument-memory.ts';
import type { Store } from '../../shared/data/store.ts';
import type { Ledger } from '../../shared/domain/ledger-state.ts';
import { decimal } from '../../shared/domain/money.ts';
import type { Books, LedgerEvent } from './apply-live.ts';
import { MalformedEvent } from './events.ts';

/** The part of the starting capital that the fees of an order may reach without any traded value. */
const FEES_PART = 10;

/**
 * Refuses fees that no market charges: more than the value traded and a tenth of the starting capital. The value
 * alone is no bound: a minimum commission may exceed the value of a cheap option, and a price may be zero.
 * Rebates are negative fees, with the same bound.
 *
 * @param value what the order has filled so far, in the currency of the deployment.
 * @throws MalformedEvent
 */
export const requireSaneFees = (
  { starting_capital }: Pick<LiveDeployment, 'starting_capital'>,
  fees: string,
  value: string,
): void => {
  const bound = decimal(starting_capital).div(FEES_PART).plus(decimal(value).abs());
  if (decimal(fees).abs().gt(bound)) {
    throw new MalformedEvent('fees are more than the traded value and a tenth of the starting capital');
  }
};

const isOnTheBooks = ({ contract_sizes, quotes, head }: Ledger, symbol: string): boolean =>
  [contract_sizes, quotes, head.symbols].some((known) => Object.hasOwn(known, symbol));

/**
 * The contract of the event's symbol, where the symbol is neither one of the deployment nor on its books: then the
 * catalogue is asked, and a symbol that is not there either is refused. Others cost no read.
 *
 * @throws MalformedEvent
 */
export const contractOf = async (
  store: Store,
  deployment: LiveDeployment,
  { detail: { symbol } }: LedgerEvent,
  { ledger }: Books,
  { instruments, now }: { readonly instruments: InstrumentMemory; readonly now: Date },
): Promise<Contract | undefined> => {
  if (deployment.symbols.includes(symbol) || isOnTheBooks(ledger, symbol)) return undefined;
  const contract = await instruments.find(store, symbol, now);
  if (!contract) throw new MalformedEvent('the symbol is neither one of the deployment nor in the catalogue');
  return contract;
};
