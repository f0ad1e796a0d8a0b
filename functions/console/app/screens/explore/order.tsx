import { LOW_DRAWDOWN_PCT, type RankSort } from '../../../../../shared/domain/rankings/orders.ts';
import { SUFFICIENT_DAYS } from '../../../../../shared/domain/track-records/sufficient.ts';
import { navigate } from '../../router.ts';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { addressOf, type ExploreView } from './view.ts';

const SORTS: readonly { readonly value: RankSort; readonly label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'return', label: 'Return after luck' },
  { value: 'sharpe', label: 'Sharpe ratio after luck' },
  { value: 'drawdown', label: 'Smallest drawdown' },
];

/** Order of the strategies and their filters. */
export const Order = ({ view }: { readonly view: ExploreView }) => {
  const choose = (change: Partial<ExploreView>) =>
    navigate(addressOf({ ...view, ...change, page: 1 }), { replace: true });
  const needsRecord = view.sort !== 'newest' || view.isLow;
  return (
    <>
      <Field label="Order">
        <Select value={view.sort} onValue={(sort) => choose({ sort })} options={SORTS} />
      </Field>
      <Checkbox
        checked={view.isProven || needsRecord}
        disabled={needsRecord}
        onChecked={(isProven) => choose({ isProven })}
      >
        Record of at least {SUFFICIENT_DAYS} days
      </Checkbox>
      <Checkbox checked={view.isLow} onChecked={(isLow) => choose({ isLow })}>
        Drawdown below {LOW_DRAWDOWN_PCT} %
      </Checkbox>
    </>
  );
};
