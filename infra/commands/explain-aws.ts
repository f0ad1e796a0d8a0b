import { explain } from './command-line.ts';

const hasNoAccess = (error: Error): boolean =>
  error.name === 'CredentialsProviderError' || error.message === 'Region is missing';

/** Returns the text to print for an error of a command that calls AWS: answers of AWS have no stack trace. */
export const explainAws = (error: unknown): string =>
  error instanceof Error && ('$metadata' in error || hasNoAccess(error))
    ? `AWS: ${error.name}: ${error.message}`
    : explain(error);
