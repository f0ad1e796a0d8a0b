/** What became of one thing that was compared with the truth. */
type Outcome =
  | 'checked'
  /** It was wrong, and is right now. */
  | 'repaired'
  /** Others kept changing it: it is left to the next round. */
  | 'busy'
  /** More than a job may read at a time. */
  | 'too_large'
  /** It cannot be read as what it should be. */
  | 'unreadable';

/** Counts what is found, by kind, and keeps what was wrong in words. */
export class Tally {
  readonly counts: Record<string, number> = {};
  readonly findings: string[] = [];

  add(kind: string, outcome: Outcome, finding?: string): void {
    const name = `${kind}.${outcome}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (finding !== undefined) this.findings.push(`${kind} ${outcome}: ${finding}`);
  }
}
