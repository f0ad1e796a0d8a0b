import type { TransactWriteItemsCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { toAttributes } from './attributes.ts';
import type { Condition, Update, Values, Write } from './store.ts';

const named = ({ names, values }: { names?: Readonly<Record<string, string>>; values?: Values }) => ({
  ...(names && { ExpressionAttributeNames: { ...names } }),
  ...(values && { ExpressionAttributeValues: toAttributes(values) }),
});

/** Returns a condition as call parameters; empty without a condition. */
export const conditional = (condition: Condition | undefined) =>
  condition ? { ConditionExpression: condition.condition, ...named(condition) } : {};

/** Returns an update expression as call parameters. */
export const updateOf = (
  change: Update,
): Pick<UpdateItemCommandInput, 'ConditionExpression'> & { UpdateExpression: string } => ({
  UpdateExpression: change.update,
  ...(change.condition !== undefined && { ConditionExpression: change.condition }),
  ...named(change),
});

/** Builds the update that sets the given attributes, removes the undefined ones and keeps all others. */
const settingOf = (
  attributes: Readonly<Record<string, unknown>>,
  condition: Condition | undefined,
): Update => {
  const entries = Object.entries(attributes).map(([name, value], index) => ({
    name,
    value,
    at: `set${index}`,
  }));
  const given = entries.filter(({ value }) => value !== undefined);
  const gone = entries.filter(({ value }) => value === undefined);
  const set = given.length > 0 ? `SET ${given.map(({ at }) => `#${at} = :${at}`).join(', ')}` : '';
  const remove = gone.length > 0 ? ` REMOVE ${gone.map(({ at }) => `#${at}`).join(', ')}` : '';
  return {
    update: `${set}${remove}`,
    ...(condition && { condition: condition.condition }),
    names: { ...condition?.names, ...Object.fromEntries(entries.map(({ at, name }) => [`#${at}`, name])) },
    values: { ...condition?.values, ...Object.fromEntries(given.map(({ at, value }) => [`:${at}`, value])) },
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
  const change = 'set' in write ? settingOf(write.set, write.if) : write;
  return { Update: { TableName, Key: toAttributes({ ...write.key }), ...updateOf(change) } };
};
