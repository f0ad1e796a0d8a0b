/** Facts of the lines of a file that its reader should know. */
export type Finding = 'duplicate' | 'unsorted' | 'no volume' | 'gap' | 'jump' | 'wick' | 'outside';

const TEXTS: Readonly<Record<Finding, string>> = {
  duplicate: 'with the time of an earlier line',
  unsorted: 'out of order',
  'no volume': 'without a volume, read as 0',
  gap: 'after a gap',
  jump: 'with a jump of the close',
  wick: 'with a long wick',
  outside: 'outside of the sessions',
};

/** Counts findings and keeps the first line of each, in constant memory. */
export class Findings {
  readonly #found = new Map<Finding, { readonly line: number; readonly count: number }>();

  add(finding: Finding, line: number): void {
    const before = this.#found.get(finding);
    const first = before === undefined ? line : Math.min(before.line, line);
    this.#found.set(finding, { line: first, count: (before?.count ?? 0) + 1 });
  }

  /** Returns all findings as one line; undefined without one. */
  summary(): string | undefined {
    const list = [...this.#found].map(
      ([finding, { line, count: lines }]) =>
        `${lines.toLocaleString('en')} ${TEXTS[finding]} (first: line ${line})`,
    );
    return list.length === 0 ? undefined : `Lines to look at: ${list.join(', ')}.`;
  }
}
