const AT_ONCE = 10;

/** How it went with the items of a batch. */
interface Attended<T> {
  /** How many were attended to, well or not; the others wait for the next run. */
  readonly done: number;
  readonly failures: readonly { readonly item: T; readonly error: unknown }[];
}

/** Attends to items, ten at once, as long as there is time; one that fails keeps no other from its turn. */
export const attendAll = async <T>(
  items: readonly T[],
  attend: (item: T) => Promise<unknown>,
  hasTime: () => boolean,
): Promise<Attended<T>> => {
  const failures: { item: T; error: unknown }[] = [];
  let done = 0;
  while (done < items.length && hasTime()) {
    const batch = items.slice(done, done + AT_ONCE);
    const settled = await Promise.allSettled(batch.map(attend));
    for (const [index, item] of batch.entries()) {
      const outcome = settled[index];
      if (outcome?.status === 'rejected') failures.push({ item, error: outcome.reason });
    }
    done += batch.length;
  }
  return { done, failures };
};
