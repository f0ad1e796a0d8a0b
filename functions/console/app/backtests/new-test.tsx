import type { Rules } from '../../../../infra/client/package/src/index.ts';
import { keptValues } from '../kept.ts';
import { navigate } from '../router.ts';
import { numberText } from '../typed-decimal.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';
import { useKept } from '../ui/use-kept.ts';
import { useResource } from '../ui/use-resource.ts';
import { NEW_TERMS } from './draft.ts';
import { GivenRules } from './given-rules.tsx';
import { type Choice, loadChoices, loadStart, type Start } from './start.ts';
import { TestForm } from './test-form.tsx';

interface NewTestProps {
  readonly query: URLSearchParams;
  readonly isSweep: boolean;
}

const GIVEN: Choice = { value: 'rules=given', label: 'Rules as JSON' };

/** Rules that were pasted. */
const GIVEN_RULES = keptValues<Start | undefined>();

const startOf = (rules: Rules): Start => ({
  subject: { rules },
  name: 'Given rules',
  sentence: null,
  draft: {
    symbols: [],
    timeframe: '1d',
    ...NEW_TERMS,
    params: Object.fromEntries(
      Object.entries(rules.params ?? {}).map(([name, param]) => [name, numberText(param.default)]),
    ),
  },
});

const NoRules = () => (
  <Notice kind="warn">
    There are no rules to test here: the strategy has none, or they are not yours to read. Choose another
    strategy, or <a href="#/build">build one</a>.
  </Notice>
);

const Form = ({ start, isSweep, key }: { start: Start | null; isSweep: boolean; key?: string }) => {
  if (!start) return <NoRules />;
  if (isSweep && Object.keys(start.subject.rules.params ?? {}).length === 0) {
    return (
      <Notice kind="warn">
        These rules have no parameters, so there is nothing to vary. Open them in the builder and turn a
        number, such as the length of an average, into a parameter.
      </Notice>
    );
  }
  return <TestForm key={key} start={start} isSweep={isSweep} />;
};

/** Screen that starts a backtest or a sweep: the choice of rules, then their form. */
export const NewTest = ({ query, isSweep }: NewTestProps) => {
  const chosen = query.toString();
  const isGiven = chosen === GIVEN.value;
  const [given, setGiven] = useKept(GIVEN_RULES, 'given', () => undefined);
  const choices = useResource(loadChoices, []);
  const start = useResource((signal) => loadStart(query, signal), [chosen]);
  const path = isSweep ? '/sweeps/new' : '/backtests/new';
  return (
    <Screen
      title={isSweep ? 'New parameter sweep' : 'New backtest'}
      lead={
        isSweep
          ? 'Tests every combination of the values that you choose, and says which ones hold up on time they have not seen.'
          : 'Tests rules on past prices, with the costs that you choose.'
      }
      actions={<LinkButton href="#/backtests">All backtests</LinkButton>}
    >
      <Loaded of={choices}>
        {(list) => {
          const options = [
            ...(list.some(({ value }) => value === chosen) || isGiven
              ? []
              : [
                  { value: chosen, label: chosen === '' ? 'Choose…' : (start.value?.name ?? 'Chosen rules') },
                ]),
            ...list,
            GIVEN,
          ];
          return (
            <section class="card form">
              <Field label="Rules" hint="One of your strategies, or a template to begin with.">
                <Select
                  value={chosen}
                  options={options}
                  onValue={(value) => navigate(`${path}?${value}`, { replace: true })}
                />
              </Field>
            </section>
          );
        }}
      </Loaded>
      {isGiven && <GivenRules onRules={(rules) => setGiven(startOf(rules))} />}
      {isGiven && given && <Form key={JSON.stringify(given.subject)} start={given} isSweep={isSweep} />}
      {chosen !== '' && !isGiven && (
        <Loaded of={start}>{(value) => <Form key={chosen} start={value} isSweep={isSweep} />}</Loaded>
      )}
      {start.error !== undefined && <Button onClick={() => navigate(path)}>Choose other rules</Button>}
    </Screen>
  );
};
