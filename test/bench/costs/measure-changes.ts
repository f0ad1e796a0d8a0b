import { findDueWebhooks } from '../../../shared/data/webhooks/find-deliveries.ts';
import { moveChanges } from '../../../shared/deliveries/changes/move-changes.ts';
import { deliverWebhook } from '../../../shared/deliveries/webhooks/deliver-webhook.ts';
import { takeEvent } from '../../../shared/lifecycle/reports/take-report.ts';
import { listen, moveAll, waitingChanges } from '../../support/changes.ts';
import { furnish, signUp } from '../../support/people.ts';
import { build, furnishWithCatalogue } from '../../support/strategies.ts';
import { startUpstream } from '../../support/upstream.ts';
import { asUser, deliverNew, registerProven } from '../../support/webhooks.ts';
import { meteredHub } from './metered-hub.ts';
import type { RequestKind } from './request-units.ts';
import type { Units } from './units.ts';

const HOUR_MS = 3_600_000;

/**
 * Measures the costs of change events of a user who listens: their causes, their move into the log, readings, webhooks.
 * Needs a KMS.
 */
export const measureChanges = async (): Promise<Partial<Record<RequestKind, Units>>> => {
  const receiver = await startUpstream((_request, response) => response.writeHead(204).end());
  const { hub: metered, take, close } = await meteredHub();
  const hub = metered.with({ HUB_WEBHOOK_REACH: 'loopback' });
  const cost = async (work: () => Promise<unknown>): Promise<Units> => {
    take();
    await work();
    return take();
  };
  try {
    await furnish(hub);
    await furnishWithCatalogue(hub);
    const { body: user } = await signUp(hub);
    const { user_id } = user;
    const { body: strategy } = await build(hub, { user_id });
    const { body: deployment } = await hub.call('POST /deploy_notification_strategy', {
      query: { keygen: strategy.keygen },
      form: { frequency: 'every_signal' },
    });
    let price = 100;
    const signal = () => {
      hub.advance(60_000);
      price += 1;
      return takeEvent(hub.runtime, {
        'detail-type': 'Signal Raised',
        source: 'engine',
        detail: {
          version: 1,
          deployment_id: deployment.deployment_id,
          occurred_at: hub.runtime.clock().toISOString(),
          symbol: 'AAPL',
          side: 'buy',
          price,
          title: 'Buy AAPL',
          body: 'Apple closed above its 100-day average.',
        },
      });
    };
    /** Finds what waits beforehand, as the relay does it without the table. */
    const moving = async () => {
      const [id = ''] = await waitingChanges(hub);
      return () => moveChanges(hub.runtime, id, 0);
    };
    const delivering = async () => {
      const later = new Date(hub.runtime.clock().getTime() + HOUR_MS);
      const [delivery] = await findDueWebhooks(hub.runtime.store, later, 1);
      if (!delivery) throw new Error('no delivery waits');
      return () => deliverWebhook(hub.runtime, delivery.delivery_id, delivery.attempts);
    };
    await listen(hub, { user_id });
    await signal();
    await moveAll(hub);
    const heard = await cost(signal);
    const moved = await cost(await moving());
    const read = await cost(() => hub.call('GET /events', { query: { user_id } }));
    const json = { url: `${receiver.url}/hook` };
    await registerProven(hub, asUser(user), json);
    // The endpoint has to pass its trial first.
    for (let event = 0; event < 4; event += 1) {
      await signal();
      await moveAll(hub);
      await deliverNew(hub);
    }
    await signal();
    const sent = await cost(await moving());
    const delivered = await cost(await delivering());
    return {
      'signal of an engine, with a listener': heard,
      'move of its event into the log': moved,
      'the same, with a webhook': sent,
      'delivery of a webhook': delivered,
      'page of change events': read,
    };
  } finally {
    await receiver.close();
    await close();
  }
};
