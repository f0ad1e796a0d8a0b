import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { ACCOUNT } from '../account.ts';

/** Creates the context that Lambda passes to a function. */
export const lambdaContext = (name: string, memoryMb: number, deadline: number): Context => {
  const requestId = randomUUID();
  return {
    awsRequestId: requestId,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:${ACCOUNT}:function:${name}`,
    memoryLimitInMB: String(memoryMb),
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: requestId,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
};
