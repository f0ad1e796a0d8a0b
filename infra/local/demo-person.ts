import * as z from 'zod';
import type { DemoStrategy } from './demo-strategies.ts';

const signedInSchema = z.object({ user_id: z.string(), access_token: z.string() });
const madeSchema = z.object({
  strategy_id: z.number(),
  strategy_key: z.string(),
  strategy_name: z.string(),
  keygen: z.string(),
});
const deployedSchema = z.object({ deployment_id: z.number() });
const ownSchema = z.object({ items: z.array(madeSchema) });

export type Made = z.output<typeof madeSchema>;

/** Publish states by who can see a strategy; the explore catalogue has an operation of its own. */
const STATES = { profile: '1', link: '2' } as const;

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** The service answered otherwise than demo data needs. */
const unexpected = (path: string, { status, json }: Answer): Error =>
  new Error(`the demo data could not be loaded: ${path} answered ${status}: ${JSON.stringify(json)}`);

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  json: await response.json(),
});

/** Somebody who is signed in to the running service and does there what people do. */
export class DemoPerson {
  readonly #baseUrl: string;
  readonly #session: z.output<typeof signedInSchema>;

  private constructor(baseUrl: string, session: z.output<typeof signedInSchema>) {
    this.#baseUrl = baseUrl;
    this.#session = session;
  }

  /**
   * Registers a person, or signs in one who is registered already; undefined where the person has
   * another password by now.
   */
  static async signIn(
    baseUrl: string,
    form: Readonly<Record<string, string>>,
  ): Promise<DemoPerson | undefined> {
    const path = '/register_login';
    const init = { method: 'POST', body: new URLSearchParams(form) };
    const answer = await answerOf(await fetch(new URL(path, baseUrl), init));
    if (answer.status === 401 || answer.status === 429) return undefined;
    if (answer.status !== 200) throw unexpected(path, answer);
    return new DemoPerson(baseUrl, signedInSchema.parse(answer.json));
  }

  /** Makes a strategy that is not there yet, and shows it to whom it is for. */
  async make({ name, description, symbol, timeframe, audience }: DemoStrategy): Promise<Made> {
    const made = await this.#build({ strategy_name: name, symbol, timeframe });
    const strategy_id = String(made.strategy_id);
    await this.#post('/rename_strategy', { strategy_id, strategy_name: name, description });
    if (audience === 'explore') await this.#post('/publish_explore_strategy', { strategy_id });
    else if (audience !== 'owner')
      await this.#post('/profile_publish_strategy', { strategy_id, publish_state: STATES[audience] });
    return made;
  }

  async like({ strategy_id }: Made): Promise<void> {
    await this.#post('/like_strategy', { strategy_id: String(strategy_id) });
  }

  async copy({ strategy_key }: Made): Promise<void> {
    await this.#post('/copy_strategy', { strategy_key });
  }

  get userId(): string {
    return this.#session.user_id;
  }

  /** Deploys a strategy, and answers with the deployment's id. */
  async deploy(
    kind: 'notification_strategy' | 'scanner' | 'live_strategy',
    keygen: string,
    query: Readonly<Record<string, string>> = {},
    form: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const body = kind === 'scanner' ? undefined : new URLSearchParams(form);
    const answer = await this.#done('POST', `/deploy_${kind}`, { keygen, ...query }, body);
    return deployedSchema.parse(answer).deployment_id;
  }

  /** The person's strategies: what they copied, or what they made. */
  async strategies(is_copied: '0' | '1'): Promise<readonly Made[]> {
    const path = '/get_strategies_by_user';
    return ownSchema.parse(await this.#done('GET', path, { is_copied, size: '100' })).items;
  }

  async #build(query: Readonly<Record<string, string>>): Promise<Made> {
    const path = '/build_new_strategy';
    const answer = await this.#call('POST', path, query);
    if (answer.status === 200) return madeSchema.parse(answer.json);
    // A start that was cut short has made it.
    const made = await this.strategies('0');
    const same = made.find(({ strategy_name }) => strategy_name === query.strategy_name);
    if (answer.status !== 409 || !same) throw unexpected(path, answer);
    return same;
  }

  #post(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#done('POST', path, query);
  }

  async #done(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    body?: URLSearchParams,
  ): Promise<unknown> {
    const answer = await this.#call(method, path, query, body);
    if (answer.status !== 200) throw unexpected(path, answer);
    return answer.json;
  }

  async #call(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    body?: URLSearchParams,
  ): Promise<Answer> {
    const { user_id, access_token } = this.#session;
    const url = new URL(path, this.#baseUrl);
    url.search = new URLSearchParams({ user_id, ...query }).toString();
    const headers = { authorization: `Bearer ${access_token}` };
    return answerOf(await fetch(url, { method, headers, ...(body && { body }) }));
  }
}
