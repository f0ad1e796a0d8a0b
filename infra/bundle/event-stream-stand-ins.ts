const leftOut = (): never => {
  throw new Error('this part of the AWS SDK is left out of the bundles');
};

/** The codec of HTTP event streams, which no operation of the services in use answers with. */
export class EventStreamSerde {
  constructor() {
    leftOut();
  }
}

export const eventStreamSerdeProvider = leftOut;
