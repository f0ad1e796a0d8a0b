import * as z from 'zod';
import { shownNumbers } from '../domain/digits.ts';
import type { NeededScope, Scope } from '../domain/scopes.ts';
import type { Runtime } from '../runtime.ts';
import type { Capability } from '../settings.ts';
import type { Call } from './call.ts';
import { coerceStrings } from './coerce.ts';
import type { CookieRequest } from './cookies.ts';
import type { ErrorCode, HubError } from './errors.ts';
import { InternalError, ValidationError } from './errors.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import type { StepUp, UserTerms } from './user-terms.ts';
import { toValidationDetails } from './validation.ts';

/**
 * Kind of caller of an operation:
 * - `anyone`: needs no credential. The handler checks the credential of the contract (password, code, client key).
 * - `user`: the query parameter `user_id` names the user. If a session is sent, it must belong to that user.
 * - `session`: needs a valid session.
 * - `deploy_key`: the query parameter `keygen` names a strategy. If a session is sent, it must belong to the owner.
 *   The handler compares the two, as the strategy holds its owner.
 * - `integrator`: needs a bearer JWT, which the authorizer of `/broker` has verified.
 */
export type Caller = 'anyone' | 'user' | 'session' | 'deploy_key' | 'integrator';

export type Method = 'GET' | 'POST' | 'DELETE' | 'HEAD';

/**
 * Allowed origins of requests to an operation that sets cookies:
 * - `own_site`: web pages of foreign origins get 403.
 * - `any_site`: another site redirects the browser here. A state proves that the service sent it there.
 */
type CookieUse = 'own_site' | 'any_site';

/** Class of an operation for rate limits: it reads, writes, or costs much more than others. */
export type RateClass = 'read' | 'write' | 'work';

/** Access of an operation to the table. Its function gets no more permissions. */
export type TableAccess = 'none' | 'read' | 'write';

/** Decoded parts of a request before validation. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  /** Parsed JSON body; undefined without a body. */
  readonly json: unknown;
}

/** Parts of a request that can hold a credential. */
export interface Presented extends Pick<RequestParts, 'params' | 'query' | 'form'>, CookieRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the secret that identifies a caller of the kind `anyone`; undefined if the request has none. The secret must
 * not be guessable or shared by several users. An e-mail address or the key of an application does not qualify.
 */
type ReadCredential = (presented: Presented) => string | undefined;

type Part = keyof RequestParts;

/** Schemas of the parts of a request. */
export type InputShape = Readonly<Partial<Record<Part, z.ZodObject>>>;

/** A request that is refused, for an operation that notes its refusals. */
export interface Refused {
  readonly runtime: Runtime;
  readonly error: HubError | ValidationError;
  readonly params: Readonly<Record<string, string>>;
  /** The body as it was sent. */
  readonly text: string;
}

/** Documents an answer that does not follow the output schema. */
interface OtherAnswer {
  readonly description: string;
  readonly schema: z.ZodType;
}

/** Makes an operation a tool of assistants. */
interface AssistantUse {
  /** Text for a model: when to call the operation, and how to go on with its answer. */
  readonly description: string;
  /** Title of the tool, instead of the summary. */
  readonly title?: string;
  /** Fields that every call sends, and that no assistant chooses. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Optional fields that no call of an assistant has. */
  readonly without?: readonly string[];
  /** Scope that these calls need, where the request decides. */
  readonly scope?: Scope;
  /** True if the operation ends, hides or replaces something of the user. */
  readonly destructive?: true;
  /** True if a repeated call has no further effect. Implied for those that only read. */
  readonly idempotent?: true;
}

/** Declaration of an operation. */
export interface Declaration<I extends InputShape, O extends z.ZodType, A> {
  readonly method: Method;
  /** Path in the contract, with path parameters in braces. */
  readonly path: `/${string}`;
  /** Name in snake_case. The OpenAPI id is derived from it. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: Caller;
  /** Required for operations that set cookies, or that read them after a redirect from another site. */
  readonly cookies?: CookieUse;
  /** Scopes Idempotency-Keys of callers of the kind `anyone`. Without it, the scope is the request itself. */
  readonly credential?: ReadCredential;
  /** True if the contract does not have the operation. Marked in the OpenAPI document. */
  readonly extension?: boolean;
  /** Raises the default limits. Larger requests are refused before they are parsed. */
  readonly limits?: Partial<Limits>;
  /**
   * True if a form or a JSON object in the body may hold the parameters of the query. Addresses end up in histories and
   * logs of proxies, so secrets belong into the body.
   */
  readonly queryInBody?: boolean;
  /**
   * Requests that need a proven e-mail, for callers of the kinds `user` and `deploy_key`: they reach other people, or spend
   * the trust of others. Those of an unproven account get 403 `email_unproven`.
   */
  readonly proven?: true | ((input: z.output<z.ZodObject<I>>) => boolean);
  /**
   * Requests that need a step-up: they begin to trade real money, let programs in, or change how the account is held. Those
   * of a session without a fresh one get 403 `step_up_required`, and those of an API key always. For callers of the kinds
   * `user`, `session` and `deploy_key`.
   */
  readonly stepUp?: StepUp | ((input: z.output<z.ZodObject<I>>) => StepUp);
  /**
   * Requests that wait for 24 hours after a recovery of the account, with 409 `recovery_wait`: new real deployments, resumes
   * and connections.
   */
  readonly waits?: true | ((input: z.output<z.ZodObject<I>>) => boolean);
  /**
   * Scope that an API key needs, for callers of the kinds `user`, `session` and `deploy_key`. Without it, no key may call the
   * operation. A function decides by the request; undefined refuses every key. Where a stored record decides, the handler
   * asks for the further scope with `requireScope`.
   */
  readonly scope?: NeededScope | ((input: z.output<z.ZodObject<I>>) => Scope | undefined);
  /**
   * Makes the operation a tool of assistants, which call it with an API key. Needs a scope, or the caller `anyone` without
   * a credential. Never for requests that need a step-up, or whose answers hold a secret.
   */
  readonly assistant?: AssistantUse;
  /** Schemas of the path parameters, the query and one kind of body. */
  readonly input: I;
  /** Reads a body of `text/plain` into what `json` validates. @throws ValidationError */
  readonly readText?: (text: string) => unknown;
  /** Notes a refusal before it is answered, also one of an input that does not fit. */
  readonly onRefused?: (refused: Refused) => Promise<void>;
  readonly output: O;
  /** Answers that the handler sends as a {@link RawAnswer}, by status. For bodies that a standard prescribes. */
  readonly answers?: Readonly<Record<number, OtherAnswer>>;
  /** All codes that the handler can throw, except 422, 500 and the codes for sessions, which are implied. */
  readonly errors: readonly ErrorCode[];
  readonly table: TableAccess;
  /** By default `write` with write access to the table, else `read`. A function decides by the request. */
  readonly rateClass?: RateClass | ((input: z.output<z.ZodObject<I>>) => RateClass);
  /**
   * Requests that only compute: no answer is kept for an Idempotency-Key, and a repeat computes again. It saves the writes of
   * requests that come with every edit of a form.
   */
  readonly storesNothing?: true | ((input: z.output<z.ZodObject<I>>) => boolean);
  /** Cache-Control of answers with status 200, which then have an ETag. Without it, nothing may be stored. */
  readonly cache?: string;
  readonly uses?: readonly Capability[];
  /**
   * Checks a credential that only the handler checks, before a kept answer is repeated for an Idempotency-Key: the caller
   * may have lost it since. Throws what the handler throws.
   */
  readonly recheck?: (input: z.output<z.ZodObject<I>>, call: Call) => Promise<unknown>;
  readonly handler: (input: z.output<z.ZodObject<I>>, call: Call) => Promise<A>;
}

/** Declared operation. Its route, permissions, documentation and tests are derived from it. */
export interface Operation {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly name: string;
  /** Route key of API Gateway, such as `POST /login`. Requests are dispatched by it. */
  readonly routeKey: string;
  /** Id in the format of FastAPI: name, path and method joined by underscores. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly caller: Caller;
  readonly cookies: CookieUse | undefined;
  readonly credential: ReadCredential | undefined;
  readonly extension: boolean;
  readonly limits: Limits;
  readonly queryInBody: boolean;
  /** True if at least some requests need a proven e-mail. */
  readonly proven: boolean;
  /** True if at least some requests need a step-up, as the declaration says. */
  readonly stepUp: boolean;
  /** True if at least some requests wait after a recovery. */
  readonly waits: boolean;
  /** Scope that API keys need; undefined if no key may call the operation. */
  readonly scope: NeededScope | 'by_request' | undefined;
  readonly assistant: AssistantUse | undefined;
  readonly input: InputShape;
  readonly readText: ((text: string) => unknown) | undefined;
  readonly onRefused: ((refused: Refused) => Promise<void>) | undefined;
  readonly output: z.ZodType;
  /** True for a paged list. */
  readonly isPaged: boolean;
  readonly answers: Readonly<Record<number, OtherAnswer>>;
  readonly errors: readonly ErrorCode[];
  readonly table: TableAccess;
  readonly cache: string | undefined;
  readonly uses: readonly Capability[];
  /** True if a POST keeps its answer for an Idempotency-Key. */
  readonly keepsAnswers: boolean;
  /**
   * Validates the parts of a request and binds the handler to them, so that the caller can be authenticated before
   * the handler runs.
   *
   * @throws ValidationError with all problems.
   */
  readonly bind: (parts: RequestParts) => BoundOperation;
}

/** Operation that is loaded at its first request. Bundles hold these instead of operations. */
export interface LateOperation {
  readonly routeKey: string;
  readonly load: () => Promise<Operation>;
}

/** Result of an operation: a record to send as JSON, or an answer to send unchanged. */
export type Outcome = { readonly json: unknown } | { readonly raw: RawAnswer };

export interface BoundOperation {
  /** Terms that the user must meet. */
  readonly terms: Required<UserTerms>;
  /** Scope that an API key needs; undefined if no key may make the request. */
  readonly scope: NeededScope | undefined;
  readonly rateClass: RateClass;
  /** True if no answer is kept for an Idempotency-Key. */
  readonly storesNothing: boolean;
  /** Runs the handler and validates its answer against the output schema. */
  readonly run: (call: Call) => Promise<Outcome>;
  /** Checks again that the caller may call the operation. */
  readonly recheck: (call: Call) => Promise<unknown>;
}

/** The answer of the handler does not match the output schema. This is a bug, answered with 500. */
class OutputMismatchError extends InternalError {
  constructor(operation: string, error: z.core.$ZodError) {
    const places = error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).join('; ');
    super(`the answer of ${operation} does not fit its output: ${places}`);
  }
}

/** Answer that is sent unchanged and does not follow the output schema. */
export class RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Follows `generate_unique_id` of FastAPI. */
const operationIdOf = (name: string, path: string, method: Method): string =>
  `${`${name}${path}`.replace(/\W/g, '_')}_${method.toLowerCase()}`;

/** Removes empty form fields, which count as missing. Empty query parameters do not. */
const withoutEmpty = (form: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter(([, text]) => text !== ''));

const typed = (input: InputShape, parts: RequestParts): Record<string, unknown> => ({
  ...(input.params && { params: coerceStrings(input.params, parts.params) }),
  ...(input.query && { query: coerceStrings(input.query, parts.query) }),
  ...(input.form && { form: coerceStrings(input.form, withoutEmpty(parts.form)) }),
  ...(input.json && { json: parts.json }),
});

/**
 * Declares an operation in one object: caller, input, output, errors, needed resources and handler. The route, the
 * permissions, the documentation and the contract tests are derived from it.
 *
 * @example
 * export const health = defineOperation({
 *   method: 'GET', path: '/health', name: 'health', summary: 'Liveness check', caller: 'anyone',
 *   input: {}, output: z.object({ status: z.string() }), errors: [], table: 'read',
 *   handler: async () => ({ status: 'ok' }),
 * });
 */
export const defineOperation = <
  I extends InputShape,
  O extends z.ZodType,
  const A extends z.input<O> | RawAnswer,
>(
  declaration: Declaration<I, O, A>,
): Operation => {
  const { method, path, name, input, output, handler } = declaration;
  const schema = z.object(input);
  return {
    method,
    path,
    name,
    routeKey: `${method} ${path}`,
    operationId: operationIdOf(name, path, method),
    summary: declaration.summary,
    description: declaration.description,
    caller: declaration.caller,
    cookies: declaration.cookies,
    credential: declaration.credential,
    extension: declaration.extension ?? false,
    limits: { ...DEFAULT_LIMITS, ...declaration.limits },
    queryInBody: declaration.queryInBody ?? false,
    proven: declaration.proven !== undefined,
    stepUp: declaration.stepUp !== undefined,
    waits: declaration.waits !== undefined,
    scope: typeof declaration.scope === 'function' ? 'by_request' : declaration.scope,
    assistant: declaration.assistant,
    input,
    readText: declaration.readText,
    onRefused: declaration.onRefused,
    output,
    isPaged: output instanceof z.ZodObject && 'pages' in output.shape,
    answers: declaration.answers ?? {},
    errors: declaration.errors,
    table: declaration.table,
    cache: declaration.cache,
    uses: declaration.uses ?? [],
    keepsAnswers: method === 'POST' && declaration.storesNothing !== true,
    bind: (parts) => {
      const values = typed(input, parts);
      const checked = schema.safeParse(values);
      if (!checked.success) throw new ValidationError(toValidationDetails(values, checked.error));
      const { rateClass = declaration.table === 'write' ? 'write' : 'read', scope } = declaration;
      const { proven = false, stepUp = 'never', waits = false, storesNothing = false } = declaration;
      return {
        terms: {
          needsProof: typeof proven === 'function' ? proven(checked.data) : proven,
          stepUp: typeof stepUp === 'function' ? stepUp(checked.data) : stepUp,
          waits: typeof waits === 'function' ? waits(checked.data) : waits,
        },
        scope: typeof scope === 'function' ? scope(checked.data) : scope,
        rateClass: typeof rateClass === 'function' ? rateClass(checked.data) : rateClass,
        storesNothing: typeof storesNothing === 'function' ? storesNothing(checked.data) : storesNothing,
        run: async (call) => {
          const answer = await handler(checked.data, call);
          if (answer instanceof RawAnswer) return { raw: answer };
          const sent = output.safeParse(answer);
          if (!sent.success) throw new OutputMismatchError(name, sent.error);
          return { json: shownNumbers(sent.data) };
        },
        recheck: async (call) => declaration.recheck?.(checked.data, call),
      };
    },
  };
};
