import type { ComponentChildren } from 'preact';
import type { Heat } from './models/heat.ts';

interface HeatCellProps {
  readonly heat: Heat;
  /** Frames the cell. */
  readonly isFramed?: boolean;
  readonly children: ComponentChildren;
}

/** Strongest share of a colour behind a number, so that the number stays legible. */
const STRONGEST = 36;

/** Cell of a map: its number on the colour of its heat. */
export const HeatCell = ({ heat: { tone, strength }, isFramed = false, children }: HeatCellProps) => (
  <td
    class={`heat heat-${tone} ${isFramed ? 'heat-framed' : ''}`}
    style={{ '--heat': `${Math.round(strength * STRONGEST)}%` }}
  >
    {children}
  </td>
);
