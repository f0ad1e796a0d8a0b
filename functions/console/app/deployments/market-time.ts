/** Tells whether the prices of a deployment have the time of their bars, which may be far from that of the clock. */
export const livesInBars = ({
  engine,
  mode,
}: {
  readonly engine: 'hub' | 'external';
  readonly mode: 'live' | 'virtual';
}): boolean => engine === 'hub' && mode === 'virtual';
