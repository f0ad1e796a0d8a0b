import * as z from 'zod';
import { ValidationError } from '../../../shared/api/errors.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { type AccountInput, accountFields } from '../../../shared/domain/engine/backtest/account-input.ts';
import { describeIssue } from '../../../shared/domain/issue-texts.ts';
import { NOT_A_NUMBER } from '../../../shared/domain/read-number.ts';

/** Form fields of the account that the hub trades. All are optional; `readAccount` fills in the defaults. */
export const accountForm = {
  commission_rate: accountFields.commission_rate.unwrap().optional(),
  commission_fixed: accountFields.commission_fixed.unwrap().optional(),
  commission_per_unit: accountFields.commission_per_unit.unwrap().optional(),
  commission_min: accountFields.commission_min.unwrap().optional(),
  spread_rate: accountFields.spread_rate.unwrap().optional(),
  slippage_rate: accountFields.slippage_rate.unwrap().optional(),
  margin: accountFields.margin.unwrap().optional(),
  maintenance: accountFields.maintenance.unwrap().optional(),
  size_step: accountFields.size_step,
  financing: accountFields.financing.unwrap().optional(),
  fill_at: accountFields.fill_at.unwrap().optional(),
  stop_basis: accountFields.stop_basis.unwrap().optional(),
  entry_bar: accountFields.entry_bar.unwrap().optional(),
} as const;

const accountSchema = z.object(accountFields);
const formSchema = z.object(accountForm);

/** Fields of a form that describe an account. */
export type AccountForm = z.output<typeof formSchema>;

/** Account of deployments that hold no money. */
export const MODEL_ACCOUNT: AccountInput = accountSchema.parse({});

/** Refuses terms of an account that no engine of the hub trades. @throws ValidationError */
export const refuseAccount = (form: AccountForm): void => {
  const given = Object.entries(formSchema.parse(form)).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  throw new ValidationError(
    given.map(([name]) => ({
      loc: ['body', name],
      msg: 'only a strategy with rules has this field: its engine decides otherwise',
      type: 'value_error.rules',
    })),
  );
};

/** Returns the account of a deployment with the defaults of backtests. @throws ValidationError */
export const readAccount = (form: AccountForm, startingCapital: string): AccountInput => {
  const given = Object.fromEntries(
    Object.entries(formSchema.parse(form)).filter(([, value]) => value !== undefined),
  );
  const capital = accountFields.starting_capital.safeParse(startingCapital);
  if (!capital.success) {
    const [issue] = capital.error.issues;
    const msg = issue ? describeIssue(issue, startingCapital).msg : NOT_A_NUMBER;
    throw invalidValue(['body', 'starting_capital'], msg, 'value_error.number');
  }
  return accountSchema.parse({ ...given, starting_capital: capital.data });
};
