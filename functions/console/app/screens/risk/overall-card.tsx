import { useState } from 'preact/hooks';
import type {
  OverallRiskLimits,
  RiskLimitsOut,
  RiskUsage,
} from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { OVERALL_LIMITS, type OverallKind, overallProblem, readOverall } from '../../risk/overall-limits.ts';
import { LOSS_ACTIONS, type LossAction } from '../../risk/typed-limits.ts';
import { numberText } from '../../typed-decimal.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, focusInvalid, NumberInput, Select, TextInput } from '../../ui/field.tsx';
import { Money, When } from '../../ui/figures.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import type { Column } from '../../ui/table/table-props.ts';
import { useAction } from '../../ui/use-action.ts';
import { useKeptFlag } from '../../ui/use-kept.ts';

interface DialogProps {
  readonly limits: OverallRiskLimits | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

type Numbers = Readonly<Record<OverallKind['name'], string>>;

const numbersOf = (limits: OverallRiskLimits | null): Numbers => {
  const text = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : numberText(value);
  return {
    daily_loss: text(limits?.daily_loss),
    exposure: text(limits?.exposure),
    orders_per_day: text(limits?.orders_per_day),
    orders_per_minute: text(limits?.orders_per_minute),
  };
};

const OverallDialog = ({ limits, onClose, onDone }: DialogProps) => {
  const [numbers, setNumbers] = useState(() => numbersOf(limits));
  const [currency, setCurrency] = useState(limits?.currency ?? 'USD');
  const [action, setAction] = useState<LossAction>(limits?.action ?? 'pause');
  const [isTried, setTried] = useState(false);
  const isWrong = OVERALL_LIMITS.some((kind) => overallProblem(kind, numbers[kind.name]) !== undefined);
  const save = useAction(async () => {
    await hub.setRiskLimits({
      user_id: ME,
      body: { all: { ...readOverall(numbers), currency: currency.trim(), action } },
    });
    onDone();
  });
  return (
    <Dialog title="Limits over all deployments" open onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isWrong) focusInvalid(event.currentTarget);
          else void save.run();
        }}
      >
        <p class="muted">
          They hold for all deployments with real orders together. Leave all fields empty for none. Exits are
          never refused. Raising or ending one needs a new proof that it is you.
        </p>
        {OVERALL_LIMITS.map((kind) => (
          <Field
            key={kind.name}
            label={kind.label}
            hint={kind.hint}
            error={
              (isTried ? overallProblem(kind, numbers[kind.name]) : undefined) ??
              fieldProblem(save.error, kind.name)
            }
          >
            <NumberInput
              value={numbers[kind.name]}
              onValue={(text) => setNumbers({ ...numbers, [kind.name]: text })}
              unit={kind.isMoney ? currency : undefined}
            />
          </Field>
        ))}
        <Field
          label="Currency"
          hint="Entries of deployments in another currency are refused while an amount is limited."
          error={fieldProblem(save.error, 'currency')}
        >
          <TextInput value={currency} onValue={setCurrency} maxLength={8} />
        </Field>
        <Field label="When the loss is reached">
          <Select value={action} onValue={setAction} options={LOSS_ACTIONS} />
        </Field>
        <Problem of={save.error} />
        <div class="actions dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind="primary" busy={save.isBusy}>
            Save the limits
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const columnsOf = (currency: string): readonly Column<RiskUsage>[] => {
  const kindOf = ({ limit }: RiskUsage) => OVERALL_LIMITS.find(({ name }) => name === limit);
  const amount = (one: RiskUsage, value: number) =>
    kindOf(one)?.isMoney ? <Money value={value} currency={currency} /> : value;
  return [
    { head: 'Limit', cell: (one) => kindOf(one)?.label ?? one.limit, isHead: true },
    { head: 'Used', cell: (one) => amount(one, one.used), isNumber: true },
    { head: 'At most', cell: (one) => amount(one, one.allowed), isNumber: true },
    { head: 'Part', cell: ({ used_pct: percent }) => <Meter percent={percent} /> },
  ];
};

/** Limits over all deployments with real orders, and how much of each is used. */
export const OverallCard = ({ of: all, onChange }: { of: RiskLimitsOut['all']; onChange: () => void }) => {
  const [isOpen, setOpen] = useKeptFlag('overall limits');
  return (
    <>
      {all?.tripped && (
        <Notice kind="bad">
          The loss of the day stopped all deployments on <When at={all.tripped.at} seconds />. Set the limits
          anew to go on today, then resume the deployments.
        </Notice>
      )}
      {all && !all.is_counting && (
        <Notice>Running deployments are being counted. No entry leaves before that is done.</Notice>
      )}
      {all ? (
        <DataTable
          caption="Limits over all deployments with real orders"
          columns={columnsOf(all.currency)}
          rows={all.usage}
          rowKey={({ limit }) => limit}
        />
      ) : (
        <p class="empty">
          No limit holds over all deployments together. Those above apply to each deployment by itself.
        </p>
      )}
      <div class="actions">
        <Button onClick={() => setOpen(true)}>Change the limits over all…</Button>
      </div>
      {isOpen && (
        <OverallDialog
          limits={all}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onChange();
          }}
        />
      )}
    </>
  );
};
