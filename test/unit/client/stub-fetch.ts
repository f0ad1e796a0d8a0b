/** Request that a stub of `fetch` got. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

interface StubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

type Step = StubAnswer | Error | ((sent: Sent) => StubAnswer);

/** Makes a `fetch` that answers with the steps in order, and records what was sent. The last step repeats. */
export const stubFetch = (...steps: readonly Step[]) => {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url, headers, signal } = new Request(input, init);
    signal.throwIfAborted();
    const one = { method, url: new URL(url), headers, body: String(init?.body ?? '') };
    sent.push(one);
    const step = steps[Math.min(sent.length, steps.length) - 1];
    if (step instanceof Error) throw step;
    const {
      status = 200,
      headers: given = {},
      json = {},
    } = typeof step === 'function' ? step(one) : (step ?? {});
    return new Response(JSON.stringify(json), { status, headers: given });
  };
  return { fetch, sent };
};
