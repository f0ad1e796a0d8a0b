import { explain } from './command-line.ts';

const HINTS: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'AWS: there are no credentials. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as for the AWS CLI.',
  'Region is missing': 'AWS: there is no region. Set AWS_REGION.',
};

/** Tells whether the SDK got an error as an answer, or no connection. */
const isOfSdk = (error: Error): boolean =>
  '$metadata' in error || ('syscall' in error && /^(connect|getaddrinfo)$/.test(String(error.syscall)));

/** Returns the text to print for an error of a command that calls AWS. Missing access and answers have no stack trace. */
export const explainAws = (error: unknown): string => {
  if (!(error instanceof Error)) return explain(error);
  const hint = HINTS[error.name] ?? HINTS[error.message];
  return hint ?? (isOfSdk(error) ? `AWS: ${error.name}: ${error.message}` : explain(error));
};
