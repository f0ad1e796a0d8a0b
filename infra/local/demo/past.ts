import { randomUUID } from 'node:crypto';
import { workOnRecord } from '../../../functions/backtests/track-records/work-on-record.ts';
import { engineRuntime, newEngineMemory } from '../../../functions/engine/engine-runtime.ts';
import { takeEngineEvent } from '../../../functions/engine/take-event.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import type { ApiEvent } from '../../../shared/api/api-event.ts';
import { createHandler } from '../../../shared/api/lambda.ts';
import { signAccessToken } from '../../../shared/auth/access-tokens.ts';
import { putEvent } from '../../../shared/channels/bus.ts';
import type { RecordPlace } from '../../../shared/data/backtests/record-events.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { findDeployments } from '../../../shared/data/deployments/deployments.ts';
import type { Store } from '../../../shared/data/table/store.ts';
import { openSession } from '../../../shared/data/users/sessions.ts';
import { dayOf } from '../../../shared/domain/periods.ts';
import { textId } from '../../../shared/ids.ts';
import { closeEquityDays } from '../../../shared/lifecycle/close-equity-days.ts';
import { refreshPerformance } from '../../../shared/lifecycle/equity-days.ts';
import { marketTimeOf } from '../../../shared/lifecycle/figures-end.ts';
import { createRuntime, type Runtime } from '../../../shared/runtime.ts';
import { lambdaContext } from '../lambda/lambda-context.ts';

/** A form or a JSON body. */
export interface PastBody {
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
}

/** A request to an operation: its query, and a body where it takes one. */
interface PastRequest extends PastBody {
  readonly query?: Readonly<Record<string, string>>;
  readonly bearer?: string;
}

export interface PastAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Time that an operation of the demo data may take. */
const TIMEOUT_MS = 60_000;

/** Seconds of the past's clock for which a session lasts. */
const SESSION_S = 15 * 60;

const encodedBody = ({ form, json }: PastBody): { type: string; text: string } | undefined => {
  if (json) return { type: 'application/json', text: JSON.stringify(json) };
  return form && { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
};

const apiEvent = (method: string, path: string, request: PastRequest): ApiEvent => {
  const { query = {}, bearer } = request;
  const body = encodedBody(request);
  const routeKey = `${method} ${path}`;
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      ...(body && { 'content-type': body.type }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'demo' },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    ...(body && { body: body.text }),
    isBase64Encoded: false,
  };
};

/**
 * The service's operations and its engine under a clock that can be set, so that demo data is
 * made by the same code as everybody's, at the time at which it is said to have been made.
 */
export class Past {
  #now = 0;
  readonly #runtime: Runtime;
  readonly #handler: ReturnType<typeof createHandler>;
  readonly #memory = newEngineMemory();

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#runtime = { ...createRuntime(environment), clock: () => new Date(this.#now) };
    this.#handler = createHandler(OPERATIONS, () => this.#runtime);
  }

  get store(): Store {
    return this.#runtime.store;
  }

  get now(): Date {
    return this.#runtime.clock();
  }

  /** Sets the clock, in epoch milliseconds. */
  moveTo(time: number): void {
    this.#now = time;
  }

  /** Calls an operation at the time of the clock. */
  async call(method: 'GET' | 'POST', path: string, request: PastRequest = {}): Promise<PastAnswer> {
    const context = lambdaContext('demo', 1024, Date.now() + TIMEOUT_MS);
    const { statusCode, body } = await this.#handler(apiEvent(method, path, request), context);
    return { status: statusCode, json: JSON.parse(body) };
  }

  /** Opens a session of a user without the password, and returns its access token. */
  async openSession(userId: string): Promise<string> {
    const { store, settings, clock, random } = this.#runtime;
    const now = clock();
    const nowS = Math.floor(now.getTime() / 1000);
    const [sid, expiresAt] = [random(12).toString('base64url'), nowS + SESSION_S];
    const session = { generation: 0, created_at: nowS, expires_at: expiresAt };
    if (!(await openSession(store, userId, { sid, session, at: now }))) {
      throw new Error('the demo data could not be loaded: a session could not be opened');
    }
    const ring = await this.#runtime.keyRing();
    return signAccessToken(ring, settings.HUB_PUBLIC_URL, { userId, sid, generation: 0, expiresAt }, now);
  }

  /** Lets the engine take an event of the hub about a deployment. */
  engine(type: string, deploymentId: number): Promise<void> {
    return this.#take({ 'detail-type': type, detail: { version: 1, deployment_id: deploymentId } });
  }

  /** Lets the engine take an event of a feed. */
  feed(source: string, type: string, detail: Readonly<Record<string, unknown>>): Promise<void> {
    const time = new Date(this.#now).toISOString();
    return this.#take({ source, 'detail-type': type, time, detail: { version: 1, ...detail } });
  }

  /** Lets a worker advance a track record. */
  advanceRecord(place: RecordPlace): Promise<void> {
    return workOnRecord(this.#runtime, place, () => true);
  }

  /**
   * Closes the days of a deployment, and shows its performance on the cards as of its last trade or closed day. At the
   * present, a run over recorded candles shows none.
   */
  async settle(deploymentId: number): Promise<void> {
    await closeEquityDays(this.#runtime, deploymentId, dayOf(this.#now));
    const [deployment] = await findDeployments(this.store, [deploymentId]);
    if (deployment?.kind !== 'live') throw new Error(`there is no deployment ${deploymentId}`);
    const at = new Date(marketTimeOf(unpackLedger(deployment.ledger)));
    await refreshPerformance({ ...this.#runtime, clock: () => at }, deploymentId);
  }

  #take(event: object): Promise<void> {
    const runtime = this.#runtime;
    const engine = engineRuntime(runtime, {
      memory: this.#memory,
      putEvent: (detailType, detail) =>
        putEvent(runtime, { detailType, detail, deliveryId: textId(runtime.random) }),
      remainingMs: () => TIMEOUT_MS,
    });
    return takeEngineEvent(engine, event);
  }
}
