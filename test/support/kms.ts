import { openServer } from '../../infra/local/gateway/server.ts';
import { createAws } from '../../infra/local/services/aws.ts';
import { loadKey } from '../../infra/local/services/kms.ts';
import { createMessages } from '../../infra/local/services/messages.ts';
import { loadSecret } from '../../infra/local/services/secrets.ts';

/** Starts the KMS that seals texts in the table, and points the functions of this process at it. */
export const startKms = async (): Promise<{ readonly close: () => Promise<void> }> => {
  const aws = await openServer();
  const secret = loadSecret(undefined);
  const key = loadKey('alias/test', undefined);
  const messages = createMessages(() => undefined);
  aws.serve(createAws({ messages, secret: () => secret, secretId: 'test', key }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${aws.port}`,
  });
  return { close: () => aws.close() };
};
