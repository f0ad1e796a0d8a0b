const leftOut = (): never => {
  throw new Error('event streams are left out of the bundles: see infra/bundle/lean-sdk.ts');
};

/**
 * Stands in for the SDK's codec of HTTP event streams, which no operation of DynamoDB, Secrets Manager,
 * SES, SNS or EventBridge answers with.
 */
export class EventStreamSerde {
  constructor() {
    leftOut();
  }
}

export const eventStreamSerdeProvider = leftOut;
