import { useState } from 'preact/hooks';
import type { RiskLimits } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { keptValues } from '../../kept.ts';
import { NUMBER_LIMITS, type NumberLimitKind, WEEKDAYS } from '../../risk/limits.ts';
import { type LimitsForm, LOSS_ACTIONS, limitsForm, readLimits } from '../../risk/typed-limits.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, focusInvalid, NumberInput, Select, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';
import { useKept, useKeptText } from '../../ui/use-kept.ts';

const FORMS = keptValues<LimitsForm>();
const MAX_REASON = 500;

/** Names of the fields that show the refusals of the service. */
const FIELDS = [
  ...NUMBER_LIMITS.map(({ name }) => name),
  'action',
  'symbols',
  'hours',
  'time_zone',
  'reason',
];

interface LimitsDialogProps {
  /** Deployment whose limits to change; undefined for those of all deployments. */
  readonly deploymentId: number | undefined;
  /** Name of the deployment. */
  readonly name: string;
  readonly currency: string | null;
  readonly limits: RiskLimits | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface HoursProps {
  readonly form: LimitsForm;
  readonly change: (part: Partial<LimitsForm>) => void;
  readonly zoneError: string | undefined;
}

const Hours = ({ form, change, zoneError }: HoursProps) => (
  <>
    <div class="row">
      <Field label="From">
        <TextInput value={form.from} onValue={(from) => change({ from })} placeholder="09:30" maxLength={5} />
      </Field>
      <Field label="To">
        <TextInput value={form.to} onValue={(to) => change({ to })} placeholder="16:00" maxLength={5} />
      </Field>
    </div>
    <Field label="Time zone" hint="Such as Europe/Berlin or America/New_York." error={zoneError}>
      <TextInput value={form.timeZone} onValue={(timeZone) => change({ timeZone })} maxLength={64} />
    </Field>
    <div class="row">
      {WEEKDAYS.map(([day, label]) => (
        <Checkbox
          key={day}
          checked={form.weekdays.includes(day)}
          onChecked={(checked) =>
            change({
              weekdays: WEEKDAYS.map(([one]) => one).filter((one) =>
                one === day ? checked : form.weekdays.includes(one),
              ),
            })
          }
        >
          {label}
        </Checkbox>
      ))}
    </div>
  </>
);

/** Dialog that changes the limits of all deployments or of one. */
export const LimitsDialog = (props: LimitsDialogProps) => {
  const { deploymentId, name, currency, limits, onClose, onDone } = props;
  const [form, setForm] = useKept(FORMS, `limits ${deploymentId ?? ''}`, () =>
    limitsForm(limits, Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const [reason, setReason] = useKeptText(`reason of limits ${deploymentId ?? ''}`);
  const [isTried, setTried] = useState(false);
  const change = (part: Partial<LimitsForm>): void => setForm((held) => ({ ...held, ...part }));
  const { limits: body, problems } = readLimits(form);
  const isWrong = Object.keys(problems).length > 0;
  const action = useAction(async () => {
    await hub.setRiskLimits({
      user_id: ME,
      deployment_id: deploymentId,
      body: { limits: body, ...(reason.trim() !== '' && { reason: reason.trim() }) },
    });
    onDone();
  });
  const errorOf = (field: string, own: string | undefined): string | undefined =>
    (isTried ? own : undefined) ?? fieldProblem(action.error, field);
  const isAtField = FIELDS.some((field) => fieldProblem(action.error, field) !== undefined);
  const unitText = ({ unit }: NumberLimitKind): string | undefined => {
    if (unit === 'percent') return '%';
    return unit === 'money' ? (currency ?? undefined) : undefined;
  };
  return (
    <Dialog title={`Limits of ${name}`} open onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isWrong) focusInvalid(event.currentTarget);
          else void action.run();
        }}
      >
        <p class="muted">
          Leave a field empty for no limit. The strictest of the limits of your plan, of all your deployments
          and of the deployment applies. Exits are never refused.
        </p>
        {NUMBER_LIMITS.map((kind) => (
          <Field
            key={kind.name}
            label={kind.label}
            hint={
              kind.unit === 'money' && currency === null
                ? `${kind.hint} In the currency of each deployment.`
                : kind.hint
            }
            error={errorOf(kind.name, problems[kind.name])}
          >
            <NumberInput
              value={form.numbers[kind.name]}
              onValue={(text) => change({ numbers: { ...form.numbers, [kind.name]: text } })}
              unit={unitText(kind)}
            />
          </Field>
        ))}
        <Field label="When a loss limit is reached" error={errorOf('action', undefined)}>
          <Select
            value={form.action}
            onValue={(chosen) => change({ action: chosen })}
            options={LOSS_ACTIONS}
          />
        </Field>
        <Field
          label="Allowed symbols"
          hint="Entries in other symbols are refused. Separate them by commas."
          error={errorOf('symbols', undefined)}
        >
          <TextInput value={form.symbols} onValue={(symbols) => change({ symbols })} />
        </Field>
        <fieldset class="stack">
          <legend>Allowed hours</legend>
          <Checkbox checked={form.hasHours} onChecked={(hasHours) => change({ hasHours })}>
            Allow entries only at certain hours
          </Checkbox>
          {form.hasHours && (
            <Hours form={form} change={change} zoneError={errorOf('time_zone', problems.timeZone)} />
          )}
          {errorOf('hours', problems.hours) && <p class="field-error">{errorOf('hours', problems.hours)}</p>}
        </fieldset>
        <Field label="Reason" hint="Kept in the audit trail. Optional." error={errorOf('reason', undefined)}>
          <TextInput value={reason} onValue={setReason} maxLength={MAX_REASON} />
        </Field>
        {isTried && isWrong && <p class="field-error">Some limits need another value: see above.</p>}
        {!isAtField && <Problem of={action.error} />}
        <div class="actions dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind="primary" busy={action.isBusy}>
            Save the limits
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
