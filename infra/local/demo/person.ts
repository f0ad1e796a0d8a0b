import * as z from 'zod';
import { keys } from '../../../shared/data/table/keys.ts';
import type { DemoBacktest } from './backtests.ts';
import type { Past, PastAnswer, PastBody } from './past.ts';
import type { DemoStrategy } from './strategies.ts';

const signedInSchema = z.object({ user_id: z.string(), access_token: z.string() });
const madeSchema = z.object({
  strategy_id: z.number(),
  strategy_key: z.string(),
  strategy_name: z.string(),
  keygen: z.string(),
});
const deployedSchema = z.object({ deployment_id: z.number(), strategy_id: z.number() });
const listSchema = z.object({ items: z.array(deployedSchema) });
const testedSchema = z.object({ items: z.array(z.object({ status: z.string() })) });
const ownSchema = z.object({ items: z.array(madeSchema) });

export type Made = z.output<typeof madeSchema>;

/** The ways to deploy: their operations, and those that list what was deployed. */
const KINDS = {
  notification: {
    deploy: '/deploy_notification_strategy',
    lists: [['GET', '/get_all_notification_deployments']],
  },
  scanner: { deploy: '/deploy_scanner', lists: [['POST', '/get_scanner_deployments']] },
  trading: {
    deploy: '/deploy_live_strategy',
    lists: [
      ['GET', '/get_all_live_deployments_v2'],
      ['GET', '/get_live_expired_strategies_v2'],
    ],
  },
} as const;

/** Publish states by who can see a strategy; the explore catalogue has an operation of its own. */
const STATES = { profile: '1', link: '2' } as const;

/** Returns the error for an answer that demo data cannot go on with. */
const unexpected = (path: string, { status, json }: PastAnswer): Error =>
  new Error(`the demo data could not be loaded: ${path} answered ${status}: ${JSON.stringify(json)}`);

/** A user who does at the service, in its past, what people do. */
export class DemoPerson {
  readonly #past: Past;
  readonly #session: z.output<typeof signedInSchema>;

  private constructor(past: Past, session: z.output<typeof signedInSchema>) {
    this.#past = past;
    this.#session = session;
  }

  /**
   * Registers a person, or signs in one who is registered already; undefined where the person has
   * another password by now. Proves the e-mail. A session lasts for a quarter of an hour of the past's clock.
   */
  static async signIn(past: Past, form: Readonly<Record<string, string>>): Promise<DemoPerson | undefined> {
    const path = '/register_login';
    const answer = await past.call('POST', path, { form });
    if (answer.status === 401 || answer.status === 429) return undefined;
    if (answer.status !== 200) throw unexpected(path, answer);
    const session = signedInSchema.parse(answer.json);
    // Only proven accounts count. No mail reaches the addresses of the demo data.
    await past.store.transact([{ key: keys.user(session.user_id), set: { email_verified: true } }]);
    return new DemoPerson(past, session);
  }

  /** Signs the person in again at the time of the clock. A password takes much longer to check. */
  async again(): Promise<DemoPerson> {
    const { user_id } = this.#session;
    return new DemoPerson(this.#past, { user_id, access_token: await this.#past.openSession(user_id) });
  }

  /** Makes a strategy that is not there yet, and shows it to its audience. */
  async make({ name, description, symbol, timeframe, audience, rules }: DemoStrategy): Promise<Made> {
    const made = await this.#build({ strategy_name: name, symbol, timeframe });
    const strategy_id = String(made.strategy_id);
    await this.#post('/rename_strategy', { strategy_id, strategy_name: name, description });
    await this.#done('POST', '/set_strategy_rules', { strategy_id }, { json: rules });
    if (audience === 'explore') await this.#post('/publish_explore_strategy', { strategy_id });
    else if (audience !== 'owner')
      await this.#post('/profile_publish_strategy', { strategy_id, publish_state: STATES[audience] });
    return made;
  }

  get userId(): string {
    return this.#session.user_id;
  }

  async like({ strategy_id }: Made): Promise<void> {
    await this.#post('/like_strategy', { strategy_id: String(strategy_id) });
  }

  /** Copies a strategy, unless the person has a copy already. */
  async copy({ strategy_key }: Made): Promise<void> {
    if ((await this.strategies('1')).length > 0) return;
    await this.#post('/copy_strategy', { strategy_key });
  }

  /** Finds the deployment of a strategy that an earlier start, which was cut short, has made. */
  async deployed(kind: keyof typeof KINDS, { strategy_id }: Made): Promise<number | undefined> {
    for (const [method, path] of KINDS[kind].lists) {
      const { items } = listSchema.parse(await this.#done(method, path, { size: '100' }));
      const found = items.find((item) => item.strategy_id === strategy_id);
      if (found) return found.deployment_id;
    }
    return undefined;
  }

  /** Deploys a strategy, and answers with the deployment's id. */
  async deploy(
    kind: keyof typeof KINDS,
    { keygen }: Made,
    query: Readonly<Record<string, string>> = {},
    form: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const body = kind === 'scanner' ? {} : { form };
    const answer = await this.#done('POST', KINDS[kind].deploy, { keygen, ...query }, body);
    return deployedSchema.parse(answer).deployment_id;
  }

  /** Stops a deployment and closes its positions. */
  async stop(deploymentId: number): Promise<void> {
    await this.#post('/stop_deployment', { deployment_id: String(deploymentId), flatten: 'true' });
  }

  /** Runs the backtests of a strategy that an earlier start, which was cut short, has not run. */
  async backtest({ strategy_id }: Made, backtests: readonly DemoBacktest[]): Promise<void> {
    const query = { strategy_id: String(strategy_id) };
    const { items } = testedSchema.parse(await this.#done('GET', '/get_backtests', query));
    for (const { strategy: _, ...choice } of backtests.slice(items.length)) {
      await this.#done('POST', '/run_backtest', {}, { json: { strategy_id, ...choice } });
    }
  }

  /** The person's strategies: copies, or own ones. */
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
    method: 'GET' | 'POST',
    path: string,
    query: Readonly<Record<string, string>>,
    body: PastBody = {},
  ): Promise<unknown> {
    const answer = await this.#call(method, path, query, body);
    if (answer.status !== 200) throw unexpected(path, answer);
    return answer.json;
  }

  #call(
    method: 'GET' | 'POST',
    path: string,
    query: Readonly<Record<string, string>>,
    body: PastBody = {},
  ): Promise<PastAnswer> {
    const { user_id, access_token } = this.#session;
    return this.#past.call(method, path, {
      query: { user_id, ...query },
      bearer: access_token,
      ...body,
    });
  }
}
