import type { Hub } from './hub.ts';
import { CHALLENGE_TOKEN } from './services/stand-ins.ts';

/** Quotes an argument for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curlLines = ({ url, demo }: Hub): string[] => {
  if (!demo) return [];
  const login = [`username=${demo.email}`, `password=${demo.password}`]
    .map((field) => `--data-urlencode ${quote(field)}`)
    .join(' ');
  const reset = `${url}/send_otp_password_reset?email=${encodeURIComponent(demo.email)}`;
  return [
    '',
    'Try:',
    `  curl ${url}/health`,
    `  curl ${url}/login ${login}`,
    `  curl -X POST ${quote(reset)}`,
  ];
};

const standIns = (environment: Readonly<Record<string, string | undefined>>): string[] => {
  const challenge = environment.HUB_CHALLENGE_URL
    ? environment.HUB_CHALLENGE_URL
    : `a stand-in that accepts cf_token=${CHALLENGE_TOKEN} (HUB_CHALLENGE_URL)`;
  const analytics = environment.HUB_ANALYTICS_URL
    ? environment.HUB_ANALYTICS_URL
    : 'a stand-in that shows the events under Messages (HUB_ANALYTICS_URL)';
  return [`  Challenge  ${challenge}`, `  Analytics  ${analytics}`];
};

/** Builds the text to print when the service is ready: addresses, a sign-in and three example calls. */
export const banner = (
  hub: Hub,
  environment: Readonly<Record<string, string | undefined>>,
  keptIn: string,
  seconds: number,
): string =>
  [
    `Strategy Hub is ready after ${seconds.toFixed(1)} s.`,
    '',
    `  Console    ${hub.url}/console`,
    `  API        ${hub.url}`,
    `  Reference  ${hub.url}/docs`,
    `  OpenAPI    ${hub.url}/openapi.json`,
    `  Messages   ${hub.messagesUrl}`,
    `  Bus        ${hub.busUrl} (PutEvents, GET /events)`,
    `  Data       ${keptIn}`,
    ...standIns(environment),
    ...(hub.demo
      ? [
          '',
          `  Sign-in    ${hub.demo.email} / ${hub.demo.password}`,
          `  Client key ${hub.demo.clientKey} (auth of /register_user)`,
        ]
      : []),
    ...curlLines(hub),
    '',
    'Ctrl-C ends it.',
  ].join('\n');
