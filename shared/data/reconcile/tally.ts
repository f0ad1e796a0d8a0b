/** Result of checking one thing. */
type Outcome =
  | 'checked'
  /** It was wrong and has been corrected. */
  | 'repaired'
  /** Others kept changing it; the next round checks it again. */
  | 'busy'
  /** It has more items than a job may read. */
  | 'too_large'
  /** It does not match its schema. */
  | 'unreadable';

/** Counts results by kind and collects descriptions of what was wrong. */
export class Tally {
  readonly counts: Record<string, number> = {};
  readonly findings: string[] = [];

  add(kind: string, outcome: Outcome, finding?: string): void {
    const name = `${kind}.${outcome}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (finding !== undefined) this.findings.push(`${kind} ${outcome}: ${finding}`);
  }
}
