import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ApiEvent } from '../../shared/api/api-event.ts';
import { createHandler } from '../../shared/api/lambda.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { Log, Runtime } from '../../shared/runtime.ts';
import { CONTEXT, eventOf } from '../support/hub.ts';

/** A request of a client. */
export interface Sent {
  readonly routeKey: string;
  /** Path parameters, if they differ from those of the route key. */
  readonly method?: string;
  readonly path?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Encodes fields as a form. */
export const encodeForm = (values: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const REQUEST_ID = 'request-1';

const arriving = ({ routeKey, method, path, params, query, headers, body }: Sent): ApiEvent => {
  const event = eventOf(routeKey, {
    ...(params && { params }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  const { http } = event.requestContext;
  const target = { method: method ?? http.method, path: path ?? http.path };
  return {
    ...event,
    rawPath: target.path,
    requestContext: { ...event.requestContext, requestId: REQUEST_ID, http: { ...http, ...target } },
  };
};

/** Passes requests to operations that must answer them without any external call. */
export class Gateway {
  /** Data, secrets and settings that operations used. */
  readonly touched: string[] = [];
  /** Errors that were logged. */
  readonly alarms: Record<string, unknown>[] = [];
  readonly #handler: ReturnType<typeof createHandler>;

  constructor(operations: readonly Operation[]) {
    const runtime = this.#runtime();
    this.#handler = createHandler(operations, () => runtime);
  }

  async send(sent: Sent): Promise<Received> {
    const { statusCode, headers, body, isBase64Encoded } = await this.#handler(arriving(sent), CONTEXT);
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    return { status: statusCode, headers, body: bytes.toString(), bytes };
  }

  #refuse(what: string): never {
    this.touched.push(what);
    throw new Error(`${what} is out of reach`);
  }

  #runtime(): Runtime {
    const client = new DynamoDBClient({
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      requestHandler: { handle: async () => this.#refuse('the table') },
    });
    const log: Log = {
      info: () => undefined,
      warn: () => undefined,
      error: (message, extra) => {
        this.alarms.push({ message, ...extra });
      },
    };
    return {
      store: new Store(client, 'nowhere'),
      clock: () => new Date('2026-01-01T00:00:00Z'),
      random: (bytes) => Buffer.alloc(bytes, 7),
      settings: {
        HUB_TABLE: 'nowhere',
        HUB_STAGE: 'test',
        HUB_PUBLIC_URL: 'https://api.example.com',
        HUB_SESSION_POLICY: 'optional',
        HUB_CORS_ORIGINS: [],
        HUB_SECRET_ID: 'nowhere',
        HUB_RATE_LIMITS: null,
        HUB_SERVER_TIMING: 'off',
        HUB_EDGE: 'off',
        HUB_EDGE_SECRET_ID: '',
      },
      capability: (name) => this.#refuse(`the capability ${name}`),
      secrets: async () => this.#refuse('a secret'),
      keyRing: async () => this.#refuse('a key'),
      log,
      metrics: { count: () => undefined },
    };
  }
}
