import type { TransactWriteCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Condition, Update, Values, Write } from './store.ts';

const named = ({ names, values }: { names?: Readonly<Record<string, string>>; values?: Values }) => ({
  ...(names && { ExpressionAttributeNames: { ...names } }),
  ...(values && { ExpressionAttributeValues: values }),
});

/** A condition, where there is one, as a call takes it. */
export const conditional = (condition: Condition | undefined) =>
  condition ? { ConditionExpression: condition.condition, ...named(condition) } : {};

/** An update expression as a call takes it. */
export const updateOf = (
  change: Update,
): Pick<UpdateCommandInput, 'ConditionExpression'> & { UpdateExpression: string } => ({
  UpdateExpression: change.update,
  ...(change.condition !== undefined && { ConditionExpression: change.condition }),
  ...named(change),
});

/** A member of a transaction as the call takes it. */
export const memberOf = (
  TableName: string,
  write: Write,
): NonNullable<TransactWriteCommandInput['TransactItems']>[number] => {
  if ('put' in write) return { Put: { TableName, Item: write.put, ...conditional(write.if) } };
  if ('delete' in write) return { Delete: { TableName, Key: write.delete, ...conditional(write.if) } };
  if ('check' in write) {
    return {
      ConditionCheck: {
        TableName,
        Key: write.check,
        ConditionExpression: write.if.condition,
        ...named(write.if),
      },
    };
  }
  return { Update: { TableName, Key: write.key, ...updateOf(write) } };
};
