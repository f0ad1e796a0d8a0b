/** State of a quota, from the header `RateLimit`. */
export interface RateLimit {
  readonly policy: string;
  /** Requests that are left. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetS: number | undefined;
}

const ITEM = /"((?:[^"\\]|\\.)*)"((?:;[a-z*][\w.*-]*(?:=(?:"(?:[^"\\]|\\.)*"|[^;,"]+))?)*)/g;

/** Reads the header `RateLimit`. Leaves out what it cannot read. */
export const rateLimitsIn = (header: string | null): RateLimit[] =>
  [...(header ?? '').matchAll(ITEM)].flatMap(([, policy = '', parameters = '']) => {
    const remaining = /;r=(\d+)/.exec(parameters)?.[1];
    const reset = /;t=(\d+)/.exec(parameters)?.[1];
    if (remaining === undefined) return [];
    return [
      { policy, remaining: Number(remaining), resetS: reset === undefined ? undefined : Number(reset) },
    ];
  });
