import { AsyncLocalStorage } from 'node:async_hooks';
import { type DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { CONSUMERS } from '../../functions/consumers.ts';
import { ACCOUNT } from '../../infra/local/account.ts';
import { needsOf } from '../../infra/roles/needs.ts';
import { deniedMessage, type Role, roleOf } from '../../infra/roles/role.ts';
import { type RoleNeeds, roleStatements } from '../../infra/roles/statements.ts';

/** A function, or an operation, whose role allows calls of the table. */
interface Actor extends RoleNeeds {
  readonly name: string;
}

const REGION = 'eu-west-1';
const acting = new AsyncLocalStorage<Actor>();

/** Runs work in the role of a function: a call of the table that the role does not allow fails. */
export const actAs = <T>(actor: Actor, work: () => Promise<T>): Promise<T> => acting.run(actor, work);

/** Returns the entry of a consumer of messages or events, in the role of the consumer. */
export const inRole = <A extends readonly unknown[], T>(
  name: string,
  entry: (...args: A) => Promise<T>,
): ((...args: A) => Promise<T>) => {
  const consumer = CONSUMERS.find((one) => one.name === name);
  if (!consumer) throw new Error(`there is no consumer ${name}`);
  return (...args) => actAs(consumer, () => entry(...args));
};

const roleOn = (table: string, needs: RoleNeeds): Role =>
  roleOf(
    roleStatements(
      needs,
      { stage: 'test', mailFrom: { address: 'hub@hub.example' } },
      {
        partition: 'aws',
        region: REGION,
        account: ACCOUNT,
        tableArn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${table}`,
        secretArn: 'secret',
        probeSecretArn: 'probe-secret',
        dataKeyArn: 'key',
        queueArns: [],
      },
    ),
  );

/**
 * Lets a client refuse calls that the role of the acting function does not allow. Without one, as in set-ups, allows all.
 * Tests have tables of their own, so the role is for the table of the call.
 */
export const enforceRoles = (client: DynamoDBClient, onDenied: (message: string) => void): void => {
  const roles = new Map<string, Role>();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const actor = acting.getStore();
        if (!actor) return next(args);
        const call = {
          service: 'dynamodb',
          operation: commandName.replace(/Command$/, ''),
          input: args.input,
          region: REGION,
          account: ACCOUNT,
        };
        const table = needsOf(call)[0]?.resource.split('/')[1] ?? '';
        const id = `${actor.trigger.kind} ${actor.table} ${table}`;
        const role = roles.get(id) ?? roleOn(table, actor);
        roles.set(id, role);
        const need = role.lacks(call);
        if (!need) return next(args);
        const message = deniedMessage(actor.name, need, ACCOUNT);
        onDenied(message);
        throw new DynamoDBServiceException({
          name: 'AccessDeniedException',
          message,
          $fault: 'client',
          $metadata: { httpStatusCode: 400 },
        });
      },
    { step: 'initialize', name: 'enforceRoles' },
  );
};
