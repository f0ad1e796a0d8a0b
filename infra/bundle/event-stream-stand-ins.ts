const leftOut = (): never => {
  throw new Error('this part of the AWS SDK is left out of the bundles');
};

/** Replaces the codec of HTTP event streams, which no used operation returns. */
export class EventStreamSerde {
  constructor() {
    leftOut();
  }
}

export const eventStreamSerdeProvider = leftOut;
