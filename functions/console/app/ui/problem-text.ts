import {
  HubApiError,
  HubConnectionError,
  HubTimeoutError,
} from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { NoPasskeyError } from '../no-passkey.ts';

/** Sentence for people about an error, and the id to quote. */
export interface ProblemText {
  readonly sentence: string;
  readonly requestId?: string;
}

const waitOf = ({ retryAfterS }: HubApiError): string =>
  retryAfterS === undefined ? '' : ` Try again in ${format.duration(Math.max(1, retryAfterS))}.`;

/** Words an error for people. */
export const problemText = (error: unknown): ProblemText => {
  if (error instanceof HubApiError) {
    if (error.code === 'step_up_required')
      return { sentence: 'Nothing was done: confirm that it is you first.' };
    const ids = error.requestId === undefined ? {} : { requestId: error.requestId };
    if (error.problems.length > 0) {
      return { sentence: error.problems.map(({ msg }) => sentenceOf(msg)).join(' '), ...ids };
    }
    return { sentence: `${sentenceOf(error.detail)}${waitOf(error)}`, ...ids };
  }
  if (error instanceof NoPasskeyError) return { sentence: error.message };
  if (error instanceof HubTimeoutError) {
    return { sentence: 'The service did not answer in time. Try again.' };
  }
  if (error instanceof HubConnectionError) {
    return { sentence: 'The service cannot be reached. Check your connection and try again.' };
  }
  return { sentence: 'Something went wrong in this page. Reload it and try again.' };
};

const sentenceOf = (text: string): string => {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(first) ? first : `${first}.`;
};

/** Returns the sentence about a field of the request's body, if the service refused its value. */
export const fieldProblem = (error: unknown, field: string): string | undefined => {
  if (!(error instanceof HubApiError)) return undefined;
  const found = error.problems.find(({ loc }) => loc.includes(field));
  return found && sentenceOf(found.msg);
};
