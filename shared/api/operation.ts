import * as z from 'zod';
import type { Capability } from '../settings.ts';
import type { Call } from './call.ts';
import { coerceStrings } from './coerce.ts';
import type { CookieRequest } from './cookies.ts';
import type { ErrorCode } from './errors.ts';
import { Fault, ValidationError } from './errors.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { toValidationDetails } from './validation.ts';

/**
 * Who may call an operation:
 * - `anyone`: no credential; the handler checks what the contract names (password, code, client key).
 * - `user`: the query parameter `user_id` names the user; a session that is presented must be theirs.
 * - `session`: a valid session is required.
 * - `deploy_key`: the query parameter `keygen` names a strategy; a session that is presented must be its
 *   owner's. The handler compares them, as the strategy says who owns it.
 * - `integrator`: a bearer JWT that the authorizer in front of `/broker` has verified.
 */
export type Caller = 'anyone' | 'user' | 'session' | 'deploy_key' | 'integrator';

export type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Where requests to an operation that sets cookies may come from:
 * - `own_site`: not from web pages of foreign origins, which get 403.
 * - `any_site`: another site sends the browser here, and a state proves that it was sent there by us.
 */
type CookieUse = 'own_site' | 'any_site';

/** What an operation does with the table; infra grants no more. */
export type TableAccess = 'none' | 'read' | 'write';

/** The parts of a request, decoded but not yet checked. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** A parsed form. */
  readonly form: Readonly<Record<string, string>>;
  /** A parsed JSON body; undefined when there was none. */
  readonly json: unknown;
}

/** The parts of a request that can hold a credential. */
export interface Presented extends Pick<RequestParts, 'query' | 'form'>, CookieRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the secret by which an operation knows a caller of the kind `anyone`; undefined where the request
 * holds none. It must not be guessable, nor be shared by strangers: no e-mail, no key of an application.
 */
type ReadCredential = (presented: Presented) => string | undefined;

type Part = keyof RequestParts;

/** The schemas of the parts that an operation takes. */
export type InputShape = Readonly<Partial<Record<Part, z.ZodObject>>>;

/** An answer that leaves past the output schema, for the documentation. */
interface OtherAnswer {
  readonly description: string;
  readonly schema: z.ZodType;
}

interface Declaration<I extends InputShape, O extends z.ZodType, A> {
  readonly method: Method;
  /** As in the contract; a path parameter stands in braces. */
  readonly path: `/${string}`;
  /** The operation's name in snake_case; its OpenAPI id is derived from it. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: Caller;
  /** For operations that set cookies, or that read them on a way back from another site. */
  readonly cookies?: CookieUse;
  /** Scopes Idempotency-Keys. Without it, that of a caller of the kind `anyone` holds for one request only. */
  readonly credential?: ReadCredential;
  /** Beyond the contract: marked in the OpenAPI document. */
  readonly extension?: boolean;
  /** For operations that take more than the default; what is larger is refused unread. */
  readonly limits?: Partial<Limits>;
  /** The parts that the operation takes: path parameters, query, and one kind of body. */
  readonly input: I;
  readonly output: O;
  /** What the handler sends by itself, as a {@link RawAnswer}, by status: bodies that a standard prescribes. */
  readonly answers?: Readonly<Record<number, OtherAnswer>>;
  /** Every code that the handler can throw; 422, 500 and the session's codes are implied. */
  readonly errors: readonly ErrorCode[];
  readonly table: TableAccess;
  readonly uses?: readonly Capability[];
  readonly handler: (input: z.output<z.ZodObject<I>>, call: Call) => Promise<A>;
}

/** A declared operation: the one source of its route, permissions, documentation, local route and tests. */
export interface Operation {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly name: string;
  /** `POST /login`: API Gateway's route key, which requests are dispatched on. */
  readonly routeKey: string;
  /** FastAPI's id: name, path and method joined by underscores. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly caller: Caller;
  readonly cookies: CookieUse | undefined;
  readonly credential: ReadCredential | undefined;
  readonly extension: boolean;
  readonly limits: Limits;
  readonly input: InputShape;
  readonly output: z.ZodType;
  readonly answers: Readonly<Record<number, OtherAnswer>>;
  readonly errors: readonly ErrorCode[];
  readonly table: TableAccess;
  readonly uses: readonly Capability[];
  /**
   * Checks the parts of a request and answers with the handler bound to them, so that the caller can
   * be authenticated in between. Throws ValidationError with every problem at once.
   */
  readonly bind: (parts: RequestParts) => BoundOperation;
}

/** An operation that is loaded when it is first asked for: what bundles hold in place of their operations. */
export interface LateOperation {
  readonly routeKey: string;
  readonly load: () => Promise<Operation>;
}

/** What came of an operation: a record to be sent as JSON, or an answer to be sent as it is. */
export type Outcome = { readonly json: unknown } | { readonly raw: RawAnswer };

interface BoundOperation {
  /** Runs the handler and checks its answer against the output schema. */
  readonly run: (call: Call) => Promise<Outcome>;
}

/** The handler's answer does not fit the operation's output: a fault of ours, status 500. */
class OutputMismatch extends Fault {
  constructor(operation: string, error: z.core.$ZodError) {
    const places = error.issues.map((issue) => `${issue.path.join('.')} ${issue.code}`).join('; ');
    super(`the answer of ${operation} does not fit its output: ${places}`);
  }
}

/** An answer that leaves as it is, past the output schema. */
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

/** FastAPI's `generate_unique_id`. */
const operationIdOf = (name: string, path: string, method: Method): string =>
  `${`${name}${path}`.replace(/\W/g, '_')}_${method.toLowerCase()}`;

/** An empty form field counts as missing, an empty query parameter does not. */
const withoutEmpty = (form: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter(([, text]) => text !== ''));

const typed = (input: InputShape, parts: RequestParts): Record<string, unknown> => ({
  ...(input.params && { params: coerceStrings(input.params, parts.params) }),
  ...(input.query && { query: coerceStrings(input.query, parts.query) }),
  ...(input.form && { form: coerceStrings(input.form, withoutEmpty(parts.form)) }),
  ...(input.json && { json: parts.json }),
});

/**
 * Declares an operation: who calls it, what it takes, what it answers, which errors it throws, what
 * it needs, and the handler, in one object. Everything else (route, permission, documentation,
 * contract tests) is derived from it.
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
    input,
    output,
    answers: declaration.answers ?? {},
    errors: declaration.errors,
    table: declaration.table,
    uses: declaration.uses ?? [],
    bind: (parts) => {
      const values = typed(input, parts);
      const checked = schema.safeParse(values);
      if (!checked.success) throw new ValidationError(toValidationDetails(values, checked.error));
      return {
        run: async (call) => {
          const answer = await handler(checked.data, call);
          if (answer instanceof RawAnswer) return { raw: answer };
          const sent = output.safeParse(answer);
          if (!sent.success) throw new OutputMismatch(name, sent.error);
          return { json: sent.data };
        },
      };
    },
  };
};
