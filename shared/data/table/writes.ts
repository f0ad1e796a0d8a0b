import type { TransactWriteItemsCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { type Item, toAttributes } from './attributes.ts';
import { checkUpdate } from './aws-rules.ts';

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Values of placeholders, by name, as plain JavaScript values. */
export type Values = Item;

/** A condition in DynamoDB's expression language, with its placeholders. */
export interface Condition {
  readonly condition: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Values;
}

/** An update expression, its placeholders and an optional condition. */
export interface Update {
  readonly update: string;
  readonly condition?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Values;
}

/**
 * One member of a write transaction.
 * - `put` replaces the item; only for new items and items that were read whole with their schema.
 * - `set` writes the given attributes, removes those given as undefined and keeps all others. With `isNew` there are no
 *   others: the item does not exist, which costs less to write.
 * - `update` (with `key`) runs an update expression.
 * - `delete` removes the item.
 * - `check` fails the transaction unless its condition holds.
 */
export type Write =
  | { readonly key: Key; readonly set: Item; readonly if?: Condition; readonly isNew?: boolean }
  | { readonly put: Item; readonly if?: Condition }
  | ({ readonly key: Key } & Update)
  | { readonly delete: Key; readonly if?: Condition }
  | { readonly check: Key; readonly if: Condition };

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

/** Returns placeholders as call parameters. AWS refuses empty records of them. */
const named = ({ names, values }: { names?: Readonly<Record<string, string>>; values?: Values }) => ({
  ...(names && !isEmpty(names) && { ExpressionAttributeNames: names }),
  ...(values && !isEmpty(values) && { ExpressionAttributeValues: toAttributes(values) }),
});

/** Returns a condition as call parameters; empty without a condition. */
export const conditional = (condition: Condition | undefined) =>
  condition ? { ConditionExpression: condition.condition, ...named(condition) } : {};

type UpdateParameters = Pick<UpdateItemCommandInput, 'ConditionExpression'> & { UpdateExpression: string };

const parametersOf = (change: Update): UpdateParameters => ({
  UpdateExpression: change.update,
  ...(change.condition !== undefined && { ConditionExpression: change.condition }),
  ...named(change),
});

/** Returns an update expression as call parameters. @throws TypeError if AWS would refuse its paths. */
export const updateOf = (change: Update): UpdateParameters => {
  checkUpdate(change);
  return parametersOf(change);
};

/** The part of an update that its attributes decide by their names. */
interface Setting {
  readonly update: string;
  readonly names: Readonly<Record<string, string>>;
  /** Placeholder of each value by its attribute. */
  readonly placeholders: ReadonlyMap<string, string>;
}

const makeSetting = (attributes: Readonly<Record<string, unknown>>): Setting => {
  const names: Record<string, string> = {};
  const placeholders = new Map<string, string>();
  const set: string[] = [];
  const remove: string[] = [];
  for (const [index, name] of Object.keys(attributes).entries()) {
    const path = `#set${index}`;
    names[path] = name;
    if (attributes[name] === undefined) {
      remove.push(path);
      continue;
    }
    placeholders.set(name, `:set${index}`);
    set.push(`${path} = :set${index}`);
  }
  const setting = set.length > 0 ? `SET ${set.join(', ')}` : '';
  const removing = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  return { update: `${setting}${removing}`, names, placeholders };
};

/** Settings by the names of their attributes. A function makes the same few all the time. */
const settings = new Map<string, Setting>();
const MOST_SETTINGS = 1000;

const settingFor = (attributes: Readonly<Record<string, unknown>>): Setting => {
  let named = '';
  // The lengths tell where names end: a name may hold any character.
  for (const name of Object.keys(attributes))
    named += `${attributes[name] === undefined ? '-' : '+'}${name.length} ${name}`;
  const known = settings.get(named);
  if (known) return known;
  const setting = makeSetting(attributes);
  checkUpdate(setting);
  // Names of some attributes are those of callers, so there is no end of them.
  if (settings.size >= MOST_SETTINGS) settings.clear();
  settings.set(named, setting);
  return setting;
};

/** Builds the update that sets the given attributes, removes the undefined ones and keeps all others. */
export const settingOf = (attributes: Readonly<Record<string, unknown>>, condition?: Condition): Update => {
  const { update, names, placeholders } = settingFor(attributes);
  const values: Record<string, unknown> = { ...condition?.values };
  for (const [name, placeholder] of placeholders) values[placeholder] = attributes[name];
  return {
    update,
    ...(condition && { condition: condition.condition }),
    names: condition?.names ? { ...condition.names, ...names } : names,
    values,
  };
};

/** Converts a write to a member of a TransactWriteItems call. */
export const memberOf = (
  TableName: string,
  write: Write,
): NonNullable<TransactWriteItemsCommandInput['TransactItems']>[number] => {
  if ('put' in write) return { Put: { TableName, Item: toAttributes(write.put), ...conditional(write.if) } };
  if ('delete' in write)
    return { Delete: { TableName, Key: toAttributes({ ...write.delete }), ...conditional(write.if) } };
  if ('check' in write) {
    return {
      ConditionCheck: {
        TableName,
        Key: toAttributes({ ...write.check }),
        ConditionExpression: write.if.condition,
        ...named(write.if),
      },
    };
  }
  if ('set' in write && write.isNew) {
    return {
      Put: { TableName, Item: toAttributes({ ...write.key, ...write.set }), ...conditional(write.if) },
    };
  }
  const Key = toAttributes({ ...write.key });
  if (!('set' in write)) return { Update: { TableName, Key, ...updateOf(write) } };
  return { Update: { TableName, Key, ...parametersOf(settingOf(write.set, write.if)) } };
};
