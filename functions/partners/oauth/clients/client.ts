import type { Call } from '../../../../shared/api/call.ts';
import { HubError } from '../../../../shared/api/errors.ts';
import { registrationIn } from './client-ids.ts';
import { documentUrl, findDocument } from './documents.ts';
import type { OAuthClient } from './oauth-client.ts';
import { isRegistered, readRedirect } from './redirects.ts';

const unknownClient = (): HubError =>
  new HubError(
    'client_unknown',
    'This app is not known here, or its document cannot be read. Go back to the app and connect it again.',
  );

/** Finds a client by its id. @throws HubError client_unknown */
const findClient = async (call: Call, clientId: string): Promise<OAuthClient> => {
  const registered = registrationIn(await call.keyRing(), clientId);
  if (registered) return registered;
  const { HUB_WEBHOOK_REACH: reach } = call.capability('webhooks');
  const url = documentUrl(clientId, reach);
  const document = url && (await findDocument(call, url, reach));
  if (!document) throw unknownClient();
  return document;
};

/** Finds a client that may be sent back to an address. @throws HubError client_unknown */
export const requireClient = async (
  call: Call,
  {
    client_id: clientId,
    redirect_uri: redirect,
  }: { readonly client_id: string; readonly redirect_uri: string },
): Promise<{ readonly client: OAuthClient; readonly redirect: URL; readonly isLocal: boolean }> => {
  const client = await findClient(call, clientId);
  const read = readRedirect(redirect);
  if (!read || !isRegistered(client.redirects, redirect)) {
    throw new HubError(
      'client_unknown',
      'The app asks to be answered at an address that it has not registered. Do not go on.',
    );
  }
  return { client, redirect: read.url, isLocal: read.isLocal };
};
