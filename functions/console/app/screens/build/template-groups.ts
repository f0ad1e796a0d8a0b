/** Keys of the templates by what they wait for, in the order of the list. */
export const TEMPLATE_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Follow a trend': [
    'moving_average_cross',
    'golden_cross',
    'macd_cross',
    'supertrend',
    'adx_trend',
    'atr_trail',
    'ichimoku_cloud',
    'heikin_ashi_trend',
    'engulfing_trend',
    'weekly_momentum',
  ],
  'Buy a breakout': ['donchian_breakout', 'turtle', 'keltner_squeeze'],
  'Buy a setback': ['rsi_reversion', 'bollinger_reversion', 'stoch_rsi_swing', 'pivot_bounce'],
  'Trade within the day': ['opening_range_breakout', 'session_momentum', 'vwap_reversion'],
};
