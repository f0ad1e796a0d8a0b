import type { RiskLimits } from '../../infra/client/package/src/index.ts';

/** Risk limits of an owner who has set none, as the service answers them. */
export const NO_LIMITS: RiskLimits = {
  daily_loss: null,
  daily_loss_pct: null,
  drawdown_pct: null,
  open_positions: null,
  position_value: null,
  order_value: null,
  orders_per_day: null,
  orders_per_minute: null,
  symbols: null,
  hours: [],
  paper_days: null,
  action: null,
};
