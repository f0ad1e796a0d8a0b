import * as z from 'zod';
import { canonicalRules } from '../../domain/engine/rules/canonical.ts';
import { describeShortly } from '../../domain/engine/rules/describe.ts';
import { rulesHash } from '../../domain/engine/rules/rules-hash.ts';
import { rulesSchema } from '../../domain/engine/rules/schema.ts';
import type { Rules } from '../../domain/engine/rules/shape.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { misfit } from '../table/newer-record.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Update, Write } from '../table/writes.ts';
import { changeEverywhere } from './listings.ts';
import { type Making, type RecordFields, recordChange } from './record-change.ts';
import type { Strategy } from './strategies.ts';

/** Versions in the history of a strategy's rules, the present one included. */
const MAX_VERSIONS = 20;

const storedRulesSchema = z.object({
  /** Canonical text. */
  rules: z.string(),
});

const versionSchema = z.object({
  version: z.number(),
  rules_hash: z.string(),
  sentence: z.string(),
  changed_at: z.string(),
});

export type RulesVersion = z.output<typeof versionSchema>;

/** Newest first. */
const historySchema = z.object({ versions: z.array(versionSchema) });

/**
 * Parses the rules that a strategy names.
 *
 * @throws NewerRecordError if only a newer version can read them.
 */
export const rulesIn = (item: Item | undefined): Rules => {
  if (!item) throw new Error('the rules of a strategy are missing');
  const { success, data, error } = rulesSchema.safeParse(
    JSON.parse(parseItem(storedRulesSchema, item).rules),
  );
  if (!success) throw misfit(error);
  return data;
};

/** Reads rules by the hash that a strategy names. @throws NewerRecordError */
export const readRules = async (store: Store, hash: string): Promise<Rules> => {
  const [item] = await store.getMany([keys.rules(hash)], { consistent: true });
  return rulesIn(item);
};

/** Returns the present version of a strategy's rules; undefined without rules. */
const presentVersion = (strategy: Strategy): RulesVersion | undefined =>
  strategy.rules_hash === undefined
    ? undefined
    : {
        version: strategy.rules_version ?? strategy.version,
        rules_hash: strategy.rules_hash,
        sentence: strategy.sentence ?? '',
        changed_at: strategy.rules_changed_at ?? strategy.updated_at,
      };

/** Returns the versions of a strategy's rules, newest first. The item of a copy is made by its first change. */
export const rulesVersions = (strategy: Strategy, historyItem: Item | undefined): RulesVersion[] => {
  if (historyItem) return parseItem(historySchema, historyItem).versions;
  const present = presentVersion(strategy);
  return present ? [present] : [];
};

/** Returns the direction of the trades that rules make. */
export const directionOf = ({ entries }: Rules): Strategy['direction'] => {
  const [first, ...others] = new Set(entries.map(({ side }) => side));
  return first === undefined || others.length > 0 ? 'both' : first;
};

/** Returns the fields of a strategy that follow from its rules. */
const rulesFields = (rules: Rules) => ({
  rules_hash: rulesHash(rules),
  sentence: describeShortly(rules),
  direction: directionOf(rules),
});

type Visibility = NonNullable<Strategy['rules_visibility']>;

interface RulesChange extends Making {
  readonly rules: Rules;
  /** Undefined: as before; open at first. */
  readonly visibility: Visibility | undefined;
  /** Counts new rules. */
  readonly counted: Write;
}

/** Returns the change of a card: the sentence of a closed strategy is removed. */
const cardChange = (
  { direction, sentence, rules_visibility }: Strategy,
  fields: RecordFields | undefined,
): Update => {
  const isShown = rules_visibility !== 'closed' && sentence !== undefined;
  return {
    update: `SET direction = :direction, rules_visibility = :visibility${
      fields ? ', performance = :performance' : ''
    }${isShown ? ', sentence = :sentence' : ' REMOVE sentence'}`,
    values: {
      ':direction': direction,
      ':visibility': rules_visibility,
      ...(fields && { ':performance': fields.performance }),
      ...(isShown && { ':sentence': sentence }),
    },
  };
};

/**
 * Sets the rules of a strategy and who may copy them, in one transaction with its cards. The version increases. Other
 * rules of a published strategy begin another track record. No-op if nothing differs.
 *
 * @param historyItem stored history of the rules.
 * @throws TransactionRefusedError if the strategy changed meanwhile: read again.
 */
export const setRules = async (
  store: Store,
  before: Strategy,
  historyItem: Item | undefined,
  { rules, visibility = before.rules_visibility ?? 'open', counted, ...making }: RulesChange,
): Promise<{ strategy: Strategy; versions: RulesVersion[] }> => {
  const fields = rulesFields(rules);
  const versions = rulesVersions(before, historyItem);
  const isSame = fields.rules_hash === before.rules_hash;
  if (isSame && visibility === before.rules_visibility) return { strategy: before, versions };
  const at = making.now.toISOString();
  const version = before.version + 1;
  const after: Strategy = {
    ...before,
    ...(isSame ? {} : { ...fields, rules_version: version, rules_changed_at: at }),
    rules_visibility: visibility,
    version,
    updated_at: at,
  };
  const present = presentVersion(after);
  const kept = isSame || !present ? versions : [present, ...versions].slice(0, MAX_VERSIONS);
  const stored: Write[] = isSame
    ? []
    : [
        counted,
        { key: keys.rules(fields.rules_hash), set: { entity: 'rules', rules: canonicalRules(rules) } },
        {
          key: keys.rulesHistory(before.strategy_id),
          set: { entity: 'rules_history', versions: kept },
        },
      ];
  const { fields: recorded, writes } = recordChange(before, after, making);
  await store.transact([
    ...changeEverywhere(before, cardChange(after, recorded), {
      update: `SET ${
        recorded
          ? 'record_id = :record, record_version = :number, record_identity = :identity, performance = :performance, '
          : ''
      }rules_hash = :hash, rules_version = :rules_version, rules_changed_at = :changed, sentence = :text, direction = :direction, rules_visibility = :visibility, version = :next, updated_at = :at`,
      condition: 'version = :version',
      values: {
        ':hash': after.rules_hash,
        ':rules_version': after.rules_version,
        ':changed': after.rules_changed_at,
        ':text': after.sentence,
        ':direction': after.direction,
        ':visibility': visibility,
        ':next': version,
        ':at': at,
        ':version': before.version,
        ...(recorded && {
          ':record': recorded.record_id,
          ':number': recorded.record_version,
          ':identity': recorded.record_identity,
          ':performance': recorded.performance,
        }),
      },
    }),
    ...stored,
    ...writes,
  ]);
  return { strategy: { ...after, ...recorded }, versions: kept };
};
