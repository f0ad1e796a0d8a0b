import { format } from '../format.ts';

interface MeterProps {
  /** Used part in percent points; may be above 100. */
  readonly percent: number;
}

const HIGH = 80;
const FULL = 100;

/** Bar for the used part of something, with the percentage as a number. */
export const Meter = ({ percent }: MeterProps) => {
  const tone = percent >= FULL ? 'bad' : percent >= HIGH ? 'warn' : 'info';
  return (
    <span class="meter">
      <span class={`meter-track tag-${tone}`} aria-hidden="true">
        <span class="meter-fill" style={{ inlineSize: `${Math.max(0, Math.min(FULL, percent))}%` }} />
      </span>
      <span class="meter-value">{format.percent(percent, { digits: 0 })}</span>
    </span>
  );
};
