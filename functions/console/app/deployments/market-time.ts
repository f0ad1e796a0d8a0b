/** Tells whether the prices of a deployment have the time of their bars, which may be far from that of the clock. */
export const livesInBars = ({
  engine,
  mode,
}: {
  readonly engine: 'hub' | 'signals' | 'external';
  readonly mode: 'live' | 'virtual';
}): boolean => engine !== 'external' && mode === 'virtual';
