import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>;

const log = new Logger({ serviceName: 'peer' });
const metrics = new Metrics({ namespace: 'Peers', serviceName: 'peer' });

const statusOf = (answer: unknown): number =>
  typeof answer === 'object' && answer && 'statusCode' in answer ? Number(answer.statusCode) : 200;

/** Wraps a handler to write a log line and a metric per request, like the functions of the service. */
export const observed =
  (handler: Handler): Handler =>
  async (event, context) => {
    const started = performance.now();
    const answer = await handler(event, context);
    const status = statusOf(answer);
    log.info('request', {
      route: event.routeKey,
      status,
      duration_ms: Math.round(performance.now() - started),
      request_id: event.requestContext.requestId,
    });
    metrics
      .addDimension('operation', event.routeKey)
      .addMetric(status >= 400 ? 'Refusal' : 'Success', MetricUnit.Count, 1)
      .publishStoredMetrics();
    return answer;
  };
