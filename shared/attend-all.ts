const AT_ONCE = 10;

/** Result of a batch of items. */
interface Attended<T> {
  /** Number of handled items, failed or not. The others wait for the next run. */
  readonly done: number;
  readonly failures: readonly { readonly item: T; readonly error: unknown }[];
}

/** Handles items, some in parallel, while there is time. A failing item does not block the others. */
export const attendAll = async <T>(
  items: readonly T[],
  attend: (item: T) => Promise<unknown>,
  hasTime: () => boolean,
  atOnce = AT_ONCE,
): Promise<Attended<T>> => {
  const failures: { item: T; error: unknown }[] = [];
  let done = 0;
  while (done < items.length && hasTime()) {
    const batch = items.slice(done, done + atOnce);
    const settled = await Promise.allSettled(batch.map(attend));
    for (const [index, item] of batch.entries()) {
      const outcome = settled[index];
      if (outcome?.status === 'rejected') failures.push({ item, error: outcome.reason });
    }
    done += batch.length;
  }
  return { done, failures };
};
