import { completeDelivery, takeDelivery } from '../../../shared/data/outbox/deliveries.ts';
import { takeEvent } from '../../../shared/lifecycle/reports/take-report.ts';
import type { Response } from '../../support/hub.ts';
import { bearer, CLIENT_KEY, freshEmail, login, outbox, PASSWORD, sentCode } from '../../support/people.ts';
import { build, furnishWithCatalogue, like, list, person } from '../../support/strategies.ts';
import { meteredHub } from './metered-hub.ts';
import type { RequestKind } from './request-units.ts';
import type { Units } from './units.ts';

const STRATEGIES = 20;
const PAGE = { page: '1', size: '20' };

const expectGood = ({ status, text }: Response): void => {
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
};

/**
 * Measures the calls and units of one request of each kind, for a user with twenty strategies. Searches are
 * left out: they need a large catalogue (`npm run bench:search`).
 */
export const measureUnits = async (): Promise<Partial<Record<RequestKind, Units>>> => {
  const { hub, take, close } = await meteredHub();
  const cost = async (request: () => Promise<Response | undefined>): Promise<Units> => {
    hub.advance(60_000);
    take();
    const response = await request();
    const units = take();
    if (response) expectGood(response);
    return units;
  };
  try {
    await furnishWithCatalogue(hub);
    const email = freshEmail();
    const registerUser = () =>
      hub.call('POST /register_user', {
        query: { auth: CLIENT_KEY },
        json: { email, password: PASSWORD, name: 'Ada Lovelace' },
      });
    const register = await cost(registerUser);
    const { body: session } = await login(hub, email);
    const { user_id } = session;
    const proof = await sentCode(hub, email, 'email_proof');
    const confirming = await cost(() =>
      hub.call('POST /confirm_email', {
        query: { user_id },
        headers: bearer(session.access_token),
        json: { code: proof },
      }),
    );
    const made: Response[] = [];
    for (let n = 0; n < STRATEGIES; n++) made.push(await build(hub, { user_id }));
    for (const { body } of made) expectGood(await list(hub, user_id, body.strategy_id));
    const strategy = made[0]?.body;

    const signIn = await cost(() => login(hub, email));
    const { body: present } = await login(hub, email);
    const headers = bearer(present.access_token);
    const withSession = (routeKey: string, query: Record<string, string>) =>
      cost(() => hub.call(routeKey, { query: { user_id, ...query }, headers }));
    const verify = await cost(() => hub.call('POST /verify_session', { headers }));
    const catalogue = await withSession('GET /get_explore_strategies', PAGE);
    const own = await withSession('GET /get_strategies_by_user', PAGE);
    const building = await cost(() => build(hub, { user_id }));
    const { body: unlisted } = await build(hub, { user_id });
    const publishing = await cost(() => list(hub, user_id, unlisted.strategy_id));
    // Measures the second like. The first one doubles the likes, which moves the search entries.
    const [first, second] = [await person(hub), await person(hub)];
    expectGood(await like(hub, first.user_id, strategy.strategy_id));
    const liking = await cost(() => like(hub, second.user_id, strategy.strategy_id));
    const deploying = await cost(() =>
      hub.call('POST /deploy_notification_strategy', {
        query: { keygen: strategy.keygen },
        form: { channels: 'email' },
      }),
    );
    const { body: page } = await hub.call('GET /get_all_notification_deployments', { query: { user_id } });
    for (const sent of await outbox(hub)) await completeDelivery(hub.runtime.store, sent);
    const signal = await cost(async () => {
      await takeEvent(hub.runtime, {
        id: 'e-1',
        'detail-type': 'Signal Raised',
        source: 'engine',
        detail: {
          version: 1,
          deployment_id: page.items[0].deployment_id,
          occurred_at: hub.runtime.clock().toISOString(),
          symbol: 'AAPL',
          side: 'buy',
          price: 101.5,
          title: 'Buy AAPL',
          body: 'Apple closed above its 100-day average.',
        },
      });
      return undefined;
    });
    // A delivery without its external call: the lease and the removal.
    const [message] = await outbox(hub);
    if (!message) throw new Error('the signal left no mail');
    const { delivery_id, attempts } = message;
    const delivery = await cost(async () => {
      const taken = await takeDelivery(hub.runtime.store, delivery_id, attempts, hub.runtime.clock());
      if (!taken) throw new Error('the mail is not to be had');
      await completeDelivery(hub.runtime.store, taken);
      return undefined;
    });
    const notifications = await withSession('GET /get_deployment_notifications', PAGE);
    const renew = await cost(() =>
      hub.call('POST /session/relogin', { headers: bearer(present.refresh_token) }),
    );
    const code = await cost(() => hub.call('POST /send_otp_password_reset', { query: { email } }));
    return {
      register,
      'confirm the e-mail': confirming,
      'sign in': signIn,
      'check a session': verify,
      'renew a session': renew,
      'ask for a code': code,
      'page of the catalogue': catalogue,
      'own strategies': own,
      'build a strategy': building,
      'publish a strategy': publishing,
      like: liking,
      'deploy as notifications': deploying,
      'page of notifications': notifications,
      'signal of an engine, with a mail': signal,
      'delivery of a mail': delivery,
    };
  } finally {
    await close();
  }
};
