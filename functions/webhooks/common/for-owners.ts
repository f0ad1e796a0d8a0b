import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import type { ErrorCode } from '../../../shared/api/errors.ts';
import {
  type Declaration,
  defineOperation,
  type InputShape,
  type Operation,
} from '../../../shared/api/operation.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import { WEBHOOK_BROKER_ERRORS, webhookBroker } from '../../../shared/callers/linked-user.ts';
import type { WebhookOwner } from '../../../shared/data/webhooks/endpoints.ts';
import type { Scope } from '../../../shared/domain/scopes.ts';

/** Requires the session of the user: webhooks send what the user trades elsewhere. @throws HubError */
const ownerOfUser = (call: Call): WebhookOwner => {
  const { userId } = requireOwnSession(
    call,
    'Webhooks require the session of the owner. Sign in.',
    'changes and shows no webhooks',
  );
  return { user_id: userId };
};

/** Reads the calling broker as an owner of webhooks. @throws HubError as {@link WEBHOOK_BROKER_ERRORS} */
const ownerOfBroker = async (call: Call): Promise<WebhookOwner> => {
  const { broker_id, subdomain } = await webhookBroker(call);
  return { broker_id, subdomain };
};

/** Operation on the webhooks of an owner, in the words for a user. */
interface OwnersDeclaration<I extends InputShape, O extends z.ZodType>
  extends Pick<Declaration<I, O, z.input<O>>, 'method' | 'summary' | 'output' | 'errors' | 'table' | 'uses'> {
  /** Scope of API keys of a user; of brokers, every token with the scope `broker:webhooks` may call. */
  readonly scope?: Scope;
  readonly name: string;
  readonly description: string;
  /** Errors for users only. */
  readonly userErrors?: readonly ErrorCode[];
  /** True if a user needs a proven e-mail. */
  readonly proven?: true;
  /** Need of a user for a step-up. */
  readonly stepUp?: Declaration<I, O, z.input<O>>['stepUp'];
  /** @param owner query parameters that name the owner */
  readonly input: (owner: z.ZodRawShape) => I;
  readonly handler: (input: z.output<z.ZodObject<I>>, call: Call, owner: WebhookOwner) => Promise<z.input<O>>;
}

/** Declares an operation on webhooks twice: for users with their session, and below `/broker` for brokers. */
export const forOwners = <I extends InputShape, O extends z.ZodType>({
  name,
  summary,
  description,
  input,
  errors,
  userErrors = [],
  proven,
  scope,
  stepUp,
  handler,
  ...same
}: OwnersDeclaration<I, O>): [user: Operation, broker: Operation] => [
  defineOperation<I, O, z.input<O>>({
    ...same,
    path: `/${name}`,
    name,
    summary,
    description: `${description} Always requires the session of the user.`,
    caller: 'user',
    extension: true,
    ...(scope && { scope }),
    ...(proven && { proven }),
    ...(stepUp && { stepUp }),
    input: input({ user_id: z.string() }),
    errors: ['session_required', 'platform_token_insufficient', ...userErrors, ...errors],
    handler: async (given, call) => handler(given, call, ownerOfUser(call)),
  }),
  defineOperation<I, O, z.input<O>>({
    ...same,
    path: `/broker/${name}`,
    name: `broker_${name}`,
    summary: `${summary}, of the broker`,
    description: `${description} Needs the scope \`broker:webhooks\`.`,
    caller: 'integrator',
    extension: true,
    input: input({}),
    errors: [...WEBHOOK_BROKER_ERRORS, ...errors],
    recheck: (_input, call) => ownerOfBroker(call),
    handler: async (given, call) => handler(given, call, await ownerOfBroker(call)),
  }),
];
