import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { storedInteger } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownStrategy, unknownUser } from '../../shared/api/refusals.ts';
import { sameSecret } from '../../shared/auth/key-ring.ts';
import { changeEverywhere } from '../../shared/data/strategies/listings.ts';
import { createStrategy } from '../../shared/data/strategies/owned-strategies.ts';
import { asStrategy, isOpenToKey, type Strategy } from '../../shared/data/strategies/strategies.ts';
import { copyMarkWrite } from '../../shared/data/strategies/strategy-marks.ts';
import {
  asTally,
  counts,
  type Tallied,
  type Tally,
  tallyKey,
  tallyWrite,
} from '../../shared/data/strategies/strategy-tallies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { asUser, type User } from '../../shared/data/users/users.ts';
import { strategyIdOf } from '../../shared/domain/strategies/strategy-keys.ts';
import { presentOwn, strategyOut } from '../../shared/records/strategy.ts';
import { changeCards } from './common/kept-cards.ts';
import { knownInstruments, newStrategy, parseSymbols, tooMany } from './common/make-strategy.ts';

const NAME_LENGTH = 100;

const isClosedTo = (source: Strategy, userId: string): boolean =>
  source.rules_visibility === 'closed' && source.user_id !== userId;

const copierOf = (strategyId: number, userId: string): Tallied => ({ kind: 'copy', strategyId, userId });

/**
 * Reads the new owner, the shared strategy and the chosen instruments in one call.
 *
 * @throws HubError user_unknown, strategy_unknown, rules_closed
 * @throws ValidationError for an unknown symbol
 */
const readForCopy = async (call: Call, userId: string, key: string, symbol: string | undefined) => {
  const id = strategyIdOf(key);
  const symbols = symbol === undefined ? [] : parseSymbols(symbol);
  const userKey = keys.user(userId);
  const sourceKey = id === undefined ? undefined : keys.strategy(id);
  const copierKey = id === undefined ? undefined : tallyKey(copierOf(id, userId));
  const instrumentKeys = symbols.map(keys.instrument);
  const wanted = [
    userKey,
    ...(sourceKey ? [sourceKey] : []),
    ...(copierKey ? [copierKey] : []),
    ...instrumentKeys,
  ];
  const items = await call.store.getMany(wanted, { consistent: true });
  const owner = asUser(itemWith(items, userKey));
  if (!owner) throw unknownUser();
  const source = sourceKey && asStrategy(itemWith(items, sourceKey));
  if (!source || !sameSecret(source.strategy_key, key) || !isOpenToKey(source, userId))
    throw unknownStrategy();
  if (isClosedTo(source, userId)) {
    throw new HubError(
      'rules_closed',
      'The author keeps the rules of this strategy closed. It cannot be copied.',
    );
  }
  return {
    owner,
    source,
    copier: copierKey && asTally(itemWith(items, copierKey)),
    instruments: knownInstruments(instrumentKeys.map((key) => itemWith(items, key))),
  };
};

/** Names a copy so that its owner can copy the same strategy repeatedly. */
const anotherName = (name: string, id: number): string => {
  const suffix = ` (copy ${id.toString(36).slice(-5)})`;
  return [...name].slice(0, NAME_LENGTH - suffix.length).join('') + suffix;
};

/** Returns the rules that a copy takes over. Only their author can copy closed ones. */
const copiedRules = (source: Strategy, version: number, at: string): Partial<Strategy> =>
  source.rules_hash === undefined
    ? {}
    : {
        rules_hash: source.rules_hash,
        sentence: source.sentence,
        rules_visibility: source.rules_visibility,
        rules_version: version,
        rules_changed_at: at,
      };

/**
 * Writes the copy's effect on its source: a user counts once, with a proven account, and not as the author. Refused if
 * the source became private or closed meanwhile.
 */
const sourceWrites = (source: Strategy, owner: User, copier: Tally | undefined): Write[] => {
  const { strategy_id, user_id } = source;
  const isOpen = {
    condition:
      '(user_id = :copier OR (publish_state <> :private AND (attribute_not_exists(rules_visibility) OR rules_visibility = :open)))',
    values: { ':private': 0, ':open': 'open', ':copier': owner.user_id },
  };
  const isFirst = copier === undefined && user_id !== owner.user_id;
  const isCounted = isFirst && counts(owner, source);
  const step = { update: 'SET copy_count = copy_count + :one', values: { ':one': 1 } };
  return [
    ...(isCounted
      ? changeEverywhere(source, step, { ...step, ...isOpen, values: { ...step.values, ...isOpen.values } })
      : [{ check: keys.strategy(strategy_id), if: isOpen }]),
    ...(isFirst ? [tallyWrite(copierOf(strategy_id, owner.user_id), copier, isCounted)] : []),
  ];
};

export const copyStrategy = defineOperation({
  method: 'POST',
  path: '/copy_strategy',
  name: 'copy_strategy',
  summary: 'Copy a strategy',
  description:
    'Copies a published strategy, one shared by link, or an own one, by its share key. `symbol` replaces the instruments. The copy is private, refers to its source, and has its name and rules. A strategy with closed rules cannot be copied: 403 `rules_closed`.',
  caller: 'user',
  scope: 'manage',
  input: {
    query: z.object({
      user_id: z.string(),
      strategy_key: z.string(),
      symbol: z.string().optional(),
      broker_id: storedInteger().optional(),
    }),
  },
  output: strategyOut,
  errors: ['user_unknown', 'strategy_unknown', 'rules_closed', 'quota_reached', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query }, call) => {
    const attempt = async () => {
      const { owner, source, copier, instruments } = await readForCopy(
        call,
        query.user_id,
        query.strategy_key,
        query.symbol,
      );
      const { timeframe, strategy_name: name, broker_id } = source;
      const made = newStrategy(call, {
        owner,
        name,
        timeframe,
        instruments,
        // The author is connected to this broker; the new owner may not be.
        brokerId: query.broker_id ?? (source.user_id === owner.user_id ? broker_id : undefined),
      });
      if (made.strategy_id === source.strategy_id) throw new TransactionRefusedError([]);
      const copy: Strategy = {
        ...made,
        ...(instruments.length === 0 && {
          symbols: source.symbols,
          legs: source.legs,
          asset_class: source.asset_class,
        }),
        description: source.description,
        direction: source.direction,
        order_type: source.order_type,
        quantity: source.quantity,
        max_allocation_pct: source.max_allocation_pct,
        stop_loss_pct: source.stop_loss_pct,
        take_profit_pct: source.take_profit_pct,
        ...copiedRules(source, made.version, made.created_at),
        is_copied: 1,
        parent_strategy_id: source.strategy_id,
      };
      const extraWrites = [
        ...sourceWrites(source, owner, copier),
        copyMarkWrite(query.user_id, source.strategy_id),
      ];
      const failure = await createStrategy(call.store, copy, extraWrites);
      if (failure !== 'name_taken') return { copy, failure };
      const renamed = { ...copy, strategy_name: anotherName(name, copy.strategy_id) };
      return { copy: renamed, failure: await createStrategy(call.store, renamed, extraWrites) };
    };
    const { copy, failure } = await changeCards(call, async () => {
      const outcome = await attempt();
      // The source moved between lists meanwhile: read it again.
      if (outcome.failure === 'refused') throw new TransactionRefusedError([]);
      return outcome;
    });
    if (failure === 'too_many') throw tooMany();
    if (failure)
      throw new HubError('changed_meanwhile', 'The strategy changed while it was copied. Try again.');
    return presentOwn(copy);
  },
});
