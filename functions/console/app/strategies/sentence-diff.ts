/** Part of a sentence that two versions share, or that only one of them has. */
export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Most words of a side. Sentences beyond are shown as a whole. */
const MAX_WORDS = 1_000;

/** Returns the lengths of the longest common subsequences of all ends of two lists of words. */
const commonLengths = (before: readonly string[], after: readonly string[]): Uint16Array[] => {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const next = lengths[row + 1];
      const here = lengths[row];
      if (!next || !here) continue;
      here[column] =
        before[row] === after[column]
          ? (next[column + 1] ?? 0) + 1
          : Math.max(next[column] ?? 0, here[column + 1] ?? 0);
    }
  }
  return lengths;
};

const joined = (parts: readonly DiffPart[]): DiffPart[] => {
  const result: DiffPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.kind === part.kind) result[result.length - 1] = { ...last, text: `${last.text} ${part.text}` };
    else result.push(part);
  }
  return result;
};

/** Compares two sentences word by word. Of words that are replaced, the removed ones come first. */
export const sentenceDiff = (before: string, after: string): DiffPart[] => {
  const [old, fresh] = [before, after].map((text) => text.split(/\s+/).filter((word) => word !== ''));
  if (!old || !fresh) return [];
  if (Math.max(old.length, fresh.length) > MAX_WORDS) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  const lengths = commonLengths(old, fresh);
  const parts: DiffPart[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [removed, added] = [old[row], fresh[column]];
    if (removed !== undefined && removed === added) {
      parts.push({ kind: 'same', text: removed });
      row++;
      column++;
    } else if (
      removed !== undefined &&
      (added === undefined || (lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0))
    ) {
      parts.push({ kind: 'removed', text: removed });
      row++;
    } else if (added !== undefined) {
      parts.push({ kind: 'added', text: added });
      column++;
    }
  }
  return joined(parts);
};
