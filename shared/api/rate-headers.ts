/** Verdict about a request. */
export interface Admission {
  readonly isAdmitted: boolean;
  /** Name of the policy, such as `read` or `network-read`. */
  readonly policy: string;
  /** Requests per window. */
  readonly quota: number;
  readonly windowS: number;
  readonly remaining: number;
  /** Seconds until the window of this caller ends. */
  readonly resetS: number;
  /** Counts further requests with the claimed credential as its own, once an answer showed that it is valid. */
  readonly prove: () => void;
  /** Counts further requests with the claimed credential for the network again, once an answer showed that it has ended. */
  readonly refute: () => void;
}

/**
 * Returns the header fields of draft-ietf-httpapi-ratelimit-headers.
 *
 * @param budget limit of a stored budget that refused an admitted request.
 */
export const rateHeaders = (
  { isAdmitted, policy, quota, windowS, remaining, resetS }: Admission,
  budget?: string,
) => {
  const limit = `"${policy}";r=${remaining};t=${resetS}`;
  return {
    'ratelimit-policy': `"${policy}";q=${quota};w=${windowS}`,
    ratelimit: isAdmitted && budget !== undefined ? `${limit}, ${budget}` : limit,
  };
};
