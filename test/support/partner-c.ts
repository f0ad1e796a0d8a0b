import type { Server, ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { startKms } from './kms.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const CLIENT_ID = 'hub-client';
const REDIRECT = 'https://hub.example/partnerc_auth_callback';

/** User of the browser. */
export interface Visitor {
  /** Their name at partner C. */
  readonly login?: string;
  /** Cookies of a browser that partner C recognizes. */
  readonly jar?: Map<string, string>;
}

/** Partner C: an independent OpenID provider on loopback, whose endpoints can be made to fail. */
export interface TestPartner {
  readonly issuer: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Answers that replace those of endpoints, by path. */
  readonly trouble: Map<string, Upstream['answer']>;
  /** Requested paths. */
  readonly asked: string[];
  /** Lifetime of a code in seconds. */
  codeLifetime: number;
  /** Follows the consent like a browser, and returns the query of the callback. */
  readonly consent: (
    address: string,
    decision?: 'give' | 'deny',
    visitor?: Visitor,
  ) => Promise<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const cookiesFrom = (jar: Map<string, string>, response: Response): void => {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const equals = pair.indexOf('=');
    jar.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
};

/** Returns a browser that supports redirects, cookies and the two forms of the consent. */
const browse = async (
  address: string,
  decision: 'give' | 'deny',
  { login = 'trader', jar = new Map<string, string>() }: Visitor,
): Promise<Record<string, string>> => {
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    cookiesFrom(jar, response);
    return response;
  };
  let url = address;
  let form: Record<string, string> | undefined;
  for (let step = 0; step < 12; step++) {
    const response = await visit(url, form);
    const location = response.headers.get('location');
    form = undefined;
    if (location === null) {
      const page = await response.text();
      if (!page.includes('/interaction/')) throw new Error(`the consent answers ${response.status}: ${page}`);
      if (decision === 'deny') url = `${url}/abort`;
      else
        form = page.includes('value="login"')
          ? { prompt: 'login', login, password: 'x' }
          : { prompt: 'consent' };
      continue;
    }
    if (location.startsWith(REDIRECT)) return Object.fromEntries(new URL(location).searchParams);
    url = new URL(location, url).href;
  }
  throw new Error('the consent goes round in circles');
};

/** Starts partner C, and the KMS that seals its tokens. */
export const startPartnerC = async (): Promise<TestPartner> => {
  const probe = await startUpstream(() => undefined);
  const issuer = probe.url;
  await probe.close();
  const trouble = new Map<string, Upstream['answer']>();
  const asked: string[] = [];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: 'partnerc-secret',
        redirect_uris: [REDIRECT],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    pkce: { required: () => true },
    features: { revocation: { enabled: true } },
    ttl: {
      AuthorizationCode: () => partner.codeLifetime,
      AccessToken: 3600,
      RefreshToken: 86_400,
      IdToken: 3600,
      Interaction: 600,
      Session: 3600,
      Grant: 86_400,
    },
    cookies: { keys: ['a-key-of-the-tests'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  });
  provider.use(async (context, next) => {
    asked.push(context.path);
    const answer = trouble.get(context.path);
    if (!answer) return next();
    context.respond = false;
    const { method, headers } = context.req;
    const request = {
      method: method ?? '',
      url: context.request.URL,
      headers,
      body: '',
      bytes: Buffer.alloc(0),
    };
    const response: ServerResponse = context.res;
    answer(request, response);
  });
  const server = await new Promise<Server>((resolve) => {
    const listener = provider.listen(Number(new URL(issuer).port), '127.0.0.1', () => resolve(listener));
  });

  const kms = await startKms();

  const partner: TestPartner = {
    issuer,
    environment: { HUB_PARTNERC_ISSUER: issuer, HUB_PARTNERC_CLIENT_ID: CLIENT_ID },
    trouble,
    asked,
    codeLifetime: 60,
    consent: (address, decision = 'give', visitor = {}) => browse(address, decision, visitor),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await kms.close();
    },
  };
  return partner;
};
