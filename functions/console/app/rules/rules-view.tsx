import { LatePart } from '../ui/late.tsx';
import type { RulesOutlineProps } from './rules-outline.tsx';

/** Loads the schema and the words of rules after the rest of the screen. */
const loadOutline = async () => (await import('./rules-outline.tsx')).RulesOutline;

/** Rules for readers. */
export const RulesView = (props: RulesOutlineProps) => (
  <div class="rules-view">
    <LatePart load={loadOutline} props={props} />
  </div>
);
