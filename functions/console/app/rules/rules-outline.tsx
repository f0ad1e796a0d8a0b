import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import {
  conditionText,
  dependsOnClock,
  describe,
  distanceText,
  orderText,
  sessionTexts,
  sizeText,
} from '../../../../shared/domain/engine/rules/describe.ts';
import {
  barsText,
  valueText,
  withDefaults,
} from '../../../../shared/domain/engine/rules/describe-operand.ts';
import type { Condition, Entry, Exit, Rules } from '../../../../shared/domain/engine/rules/shape.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Notice } from '../ui/notice.tsx';
import { parseRules } from './check.ts';
import { STOP_LABELS } from './labels.ts';
import { STOPS } from './stops.ts';

type Text = (text: string) => string;

const capital: Text = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Returns the conditions within one, with the words that join them; undefined for a condition without. */
const groupOf = (
  condition: Condition,
): { readonly head: string; readonly members: Condition[] } | undefined => {
  if ('all' in condition) return { head: 'All of these:', members: condition.all };
  if ('any' in condition) return { head: 'Any of these:', members: condition.any };
  if ('not' in condition) return { head: 'Not:', members: [condition.not] };
  if (!('condition' in condition)) return undefined;
  return { head: `For ${barsText(condition.for_bars)} in a row:`, members: [condition.condition] };
};

const ConditionLines = ({ of: condition, text }: { of: Condition; text: Text }) => {
  const group = groupOf(condition);
  if (!group) return <>{capital(text(conditionText(condition)))}</>;
  return (
    <>
      {text(group.head)}
      <ul class="rule-group">
        {group.members.map((member, index) => (
          <li key={index}>
            <ConditionLines of={member} text={text} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Part = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="rule-part">
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const EntryPart = ({ entry, text }: { entry: Entry; text: Text }) => (
  <dl class="rule-parts">
    <Part label={entry.side === 'long' ? 'Buys when' : 'Sells short when'}>
      <ConditionLines of={entry.when} text={text} />
    </Part>
    <Part label="Order">{capital(text(orderText(entry) ?? 'at the market'))}</Part>
    <Part label="Size">{capital(text(sizeText(entry.size)))}</Part>
    {STOPS.map((stop) => {
      const distance = entry[stop];
      return (
        distance && (
          <Part key={stop} label={STOP_LABELS[stop]}>
            {text(distanceText(distance))}
          </Part>
        )
      );
    })}
  </dl>
);

const ExitPart = ({ exit, text }: { exit: Exit; text: Text }) => (
  <dl class="rule-parts">
    <Part label={exit.side === 'long' ? 'Sells when' : 'Buys back when'}>
      <ConditionLines of={exit.when} text={text} />
    </Part>
    {exit.portion !== 1 && (
      <Part label="Part">
        {typeof exit.portion === 'number'
          ? `${Number((exit.portion * 100).toPrecision(12))}% of each trade`
          : text(`${valueText(exit.portion)} of each trade`)}
      </Part>
    )}
  </dl>
);

const generalTexts = (rules: Rules): string[] => {
  const { reverse, pyramid, max_trades, cooldown_bars, session } = rules;
  return [
    ...(reverse ? ['An entry against an open trade closes it and opens the other side'] : []),
    ...(pyramid ? [`Adds trades while others are open, at most ${valueText(max_trades)} at once`] : []),
    ...(cooldown_bars === 0 ? [] : [`Waits ${barsText(cooldown_bars)} after a trade`]),
    ...(session ? sessionTexts(session).map((each) => `${capital(each)} (time of the exchange)`) : []),
    ...(dependsOnClock(rules) ? ['Times of day and weekdays are those of the exchange'] : []),
  ];
};

const Outline = ({ rules, name }: { rules: Rules; name: string | undefined }) => {
  const text: Text = (marked) => withDefaults(marked, rules.params);
  const general = generalTexts(rules);
  const params = Object.entries(rules.params);
  return (
    <>
      {rules.entries.map((entry, index) => (
        <section key={index} class="rule-section">
          <h3>{rules.entries.length > 1 ? `Entry ${index + 1}` : 'Entry'}</h3>
          <EntryPart entry={entry} text={text} />
        </section>
      ))}
      {rules.exits.map((exit, index) => (
        <section key={index} class="rule-section">
          <h3>{rules.exits.length > 1 ? `Exit ${index + 1}` : 'Exit'}</h3>
          <ExitPart exit={exit} text={text} />
        </section>
      ))}
      {general.length > 0 && (
        <section class="rule-section">
          <h3>All trades</h3>
          <ul>
            {general.map((each) => (
              <li key={each}>{text(each)}</li>
            ))}
          </ul>
        </section>
      )}
      {params.length > 0 && (
        <section class="rule-section">
          <h3>Parameters</h3>
          <DataTable
            caption={`Parameters${name === undefined ? '' : ` of ${name}`}: numbers that can be tuned`}
            rows={params}
            rowKey={([name]) => name}
            columns={[
              { head: 'Name', cell: ([name]) => name, isHead: true },
              { head: 'Default', cell: ([, declared]) => declared.default, isNumber: true },
              { head: 'Smallest', cell: ([, { min }]) => min ?? 'any', isNumber: true },
              { head: 'Largest', cell: ([, { max }]) => max ?? 'any', isNumber: true },
            ]}
          />
        </section>
      )}
    </>
  );
};

export interface RulesOutlineProps {
  readonly rules: unknown;
  /** False where the sentence is shown already. */
  readonly hasSentence?: boolean;
  /** Name of these rules, where a screen shows several. */
  readonly name?: string;
}

/** Rules for readers: their sentence, and each part as plain rows. */
export const RulesOutline = ({ rules, hasSentence = true, name }: RulesOutlineProps) => {
  const known = useMemo(() => parseRules(rules), [rules]);
  if (!known) {
    return (
      <Notice kind="warn">
        A newer version of the service wrote these rules. Reload the page to see them.
      </Notice>
    );
  }
  return (
    <>
      {hasSentence && <p class="rules-sentence">{describe(known)}</p>}
      <Outline rules={known} name={name} />
    </>
  );
};
