/**
 * What the bundles hold in place of parts of the AWS SDK; `lean-sdk.ts` says in place of which.
 */

/** What the SDK asks a credential provider for. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * The credential chain. Lambda hands a function its role's credentials in the environment and renews
 * them by renewing the execution environment: profiles, SSO, web identities and the metadata service
 * are code that every cold start would parse for nothing.
 */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('the environment holds no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};

/**
 * The files under `~/.aws`: Lambda has none, and a developer's must not change what the same bundle
 * does. What the environment says (`AWS_REGION`, `AWS_ENDPOINT_URL_<SERVICE>`) is read elsewhere.
 */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

/** The region of an EC2 instance, asked for where `AWS_REGION` is not set; Lambda always sets it. */
export const getInstanceMetadataRegion = async (): Promise<undefined> => undefined;

/** The endpoints that DynamoDB tells clients which turned endpoint discovery on. No client does. */
export class EndpointCache {}

const leftOut = (): never => {
  throw new Error('event streams are left out of the bundles');
};

/** The codec of HTTP event streams, which no operation of the services in use answers with. */
export class EventStreamSerde {
  constructor() {
    leftOut();
  }
}

export const eventStreamSerdeProvider = leftOut;

/** SHA-256 in JavaScript, for runtimes without `node:crypto`. */
export const Sha256Js = undefined;
