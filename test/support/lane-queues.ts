import { openState } from '../../infra/local/database/state.ts';
import { openServer } from '../../infra/local/gateway/server.ts';
import { queueName } from '../../infra/local/lambda/environment.ts';
import { AwsError, sendAwsError } from '../../infra/local/services/aws-protocol.ts';
import type { QueueOptions } from '../../infra/local/services/queue.ts';
import { createQueues, type Queues } from '../../infra/local/services/queues.ts';
import { RELAYED_LANES, type RelayedLane, runsInTurn } from '../../shared/data/outbox/lanes.ts';

export interface LaneQueues extends Pick<Queues, 'drain' | 'close'> {
  /** Settings under which functions reach the queues. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the queues of lanes at an address of their own. Messages of a lane without a consumer are dropped. */
export const startLaneQueues = async (
  consumers: Readonly<Partial<Record<RelayedLane, QueueOptions['invoke']>>>,
  { visibilityMs = 50, maxReceives = 1000 }: Partial<Pick<QueueOptions, 'visibilityMs' | 'maxReceives'>> = {},
): Promise<LaneQueues> => {
  const server = await openServer();
  const url = `http://127.0.0.1:${server.port}`;
  const state = openState(undefined);
  const queues = createQueues(
    RELAYED_LANES.map((lane) => ({
      name: queueName(lane),
      region: 'eu-west-1',
      fifo: runsInTurn(lane),
      batchSize: 10,
      concurrency: 2,
      maxReceives,
      visibilityMs,
      invoke: consumers[lane] ?? (async () => undefined),
      onDeadLetter: () => undefined,
    })),
    state,
  );
  server.serve((request, response) => {
    queues.answerSend(request, response).catch((error: unknown) => {
      sendAwsError(
        response,
        error instanceof AwsError ? error : new AwsError('InternalFailure', String(error)),
      );
    });
  });
  const urls = RELAYED_LANES.map((lane) => [lane, `${url}/000000000000/${queueName(lane)}`]);
  return {
    environment: {
      HUB_QUEUES: JSON.stringify(Object.fromEntries(urls)),
      AWS_ENDPOINT_URL_SQS: url,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    drain: queues.drain,
    close: async (graceMs) => {
      await server.close(graceMs);
      await queues.close(graceMs);
      state.close();
    },
  };
};
