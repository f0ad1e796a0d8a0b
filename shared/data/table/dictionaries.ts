/*
 * Texts from which packed records are compressed: names and usual values of a kind of record, in the order in which it is
 * written, or its values alone. A record refers to them instead of storing them.
 *
 * A stored record cannot be read without its text, so a text never changes and a number is never given again. A better
 * text gets a number of its own: one version reads it, and the next one writes it.
 */

const ACCOUNT = [
  '"day":"20","at":0,"symbols":{"position":{"quantity":"","cost":"","entered":"","entry_value":"","exit_value":"0",',
  '"gross":"0","fees":"0","swap":"0","opened_at":17,"filled":[17]},"gross":"0","fees":"0","swap":"0","swap_at":17}},',
  '"gross":"0","fees":"0","swap":"0","fills":0,"lots":"0","traded_value":"0","trades":{"count":0,"wins":0,"losses":0,',
  '"won":"0","lost":"-0","largest_win":null,"largest_loss":null,"win_streak":0,"loss_streak":0,',
  '"longest_win_streak":0,"longest_loss_streak":0,"duration_ms":0,"balance":"10000","peak":"10000","drawdown":"0",',
  '"drawdown_ratio":"0.00","instant":null,"instant_net":"0"},"equity":{"start":"10000","last":"10000","days":0,',
  '"returns":0,"sum":"0","sum_of_squares":"0","downside":"0","peak":"10000","drawdown_ratio":"0"},',
  '"exposed_since":null,"exposed_ms":0,"day_net":"0","day_trades":0,"days":[]}',
];

const LEDGER = [
  '{"version":1,"started_at":17,"starting_capital":"10000","periods_per_year":252,"own":["","contract_sizes":{"":"1"},',
  '"quotes":{"":[[17,""]]},"orders":{"rejected":1,"cancelled":1,"partially_filled":1,"open":1,"filled":1},',
  '"closed_through":null,"late":0,"market_time":true,"rollovers":{"through":"20","held":[]},"lots":{},"by_hand":{"head":{',
  ...ACCOUNT,
  ',"recent":[["swap",17,"charge-","-0."],["fill",17,"","",1,"-10","-","0"],"base":{',
];

const ORDER = [
  '{"order_id":,"deployment_id":,"strategy_id":,"mode":"live","mode":"virtual","currency":"USD","broker_symbol":null,',
  '"close_value":null,"revision":0,"client_order_id":"","symbol":"","side":"buy","side":"sell","order_type":"market",',
  '"order_type":"limit","quantity":"1","sequence":1,"filled_quantity":"1","filled_value":"1","average_price":"1",',
  '"fees":"0","status":"open","status":"cancelled","status":"rejected","status":"partially_filled","status":"filled",',
  '"status_sequence":1,"status_at":17,"sequences":[1],"broker_order_id":null,"time_in_force":"day","price":null,',
  '"trigger_price":null,"stop_loss":null,"take_profit":null,"expected_price":null,"status_message":null,',
  '"kept":{"broker_order_id":1,"time_in_force":1,"price":1,"expected_price":1},',
  '"created_at":17,"updated_at":17,"submitted_at":17,"first_filled_at":17,"closing_fills":1,"realized_pnl":null,"swap":"0","contract_size":"1"}',
];

const LATEST_ORDER = [
  '"latest_order":{"order_id":,"client_order_id":"","symbol":"","side":"sell","side":"buy","status":"open",',
  '"status":"filled","status_message":null,"quantity":"1","filled_quantity":"1","average_price":"1",',
  '"updated_at":"20T00:00:00.000Z"}',
];

const RISK_STATE =
  '"day":"20","orders_today":1,"minute":29,"orders_minute":1,"day_start":"1","peak":"1","warned":[]}';

const SUMMARY = [
  '{"deployment_id":,"strategy_id":,"strategy_name":"","symbols":[""],"timeframe":"1h","timeframe":"1d","broker_id":,',
  '"account_id":"","mode":"live","mode":"virtual","status":"paused","status":"requested","status":"active",',
  '"phase":"waiting","phase":"exited","phase":"entered","stop_reason":null,"held":{"by":"user","reason":"","at":"20',
  '"prediction_market":false,"engine":"hub","currency":"USD","starting_capital":"10000","deployed_at":"20",',
  '"began_at":"20","started_at":"20","expires_at":"20","updated_at":"20T00:00:00.000Z","positions":[{"symbol":"",',
  '"side":"short","side":"long","quantity":"1","average_price":"1","last_price":"1","unrealized_pnl":"0","as_of":"20',
  '"opened_at":"20T00:00:00.000Z","accrued_swap":"0","opened_at":"20T00:00:00.000Z","basis":{"cost":"1",',
  '"contract_size":"1","filled_at":"20T00:00:00.000Z"},"value":"1"}],"totals":{"realized_pnl":"0","gross":"0",',
  '"fees":"0","swap":"0","unrealized_pnl":"0","as_of":null,"total_pnl":"0","today_pnl":"0","return_pct":0,',
  '"equity":"10000","lots":"0","traded_value":"0","fills":0,"trades_count":0,"wins":0,"closed_day":"20"},',
  '"orders":{"open":1,"partially_filled":1,"filled":1},"orders_count":1,',
  ...LATEST_ORDER,
  ',"risk":{"limits":{"daily_loss":null,"daily_loss_pct":null,"drawdown_pct":null,"open_positions":null,',
  '"position_value":null,"orders_per_day":null},"state":{',
  RISK_STATE,
  '}}',
];

const ENTRIES = [
  '{"user_id":"","deployment_id":,"mode":"live","mode":"virtual","trades":[],"new_order":"","slipped_order":"",',
  '"notifications":[{"kind":"order_rejected","severity":"warning","kind":"target_hit","severity":"success","symbol":"",',
  '"title":"Target hit: ","title":"Stop hit: ","body":"Sold 1 at ","body":"Bought 1 at ","data":{"order_id":,',
  '"client_order_id":"","symbol":"","side":"buy","side":"sell","quantity":"1","price":"1","currency":"USD"},',
  '"notification_id":,"deployment_id":,"deployment_type":"live","strategy_id":,"created_at":"20T00:00:00.000Z"},',
  '{"kind":"cycle_completed","severity":"success","title":" is flat again","body":"Every position is closed. Realised ',
  'so far: USD.","data":{"realized_pnl":0,"currency":"USD"},"notification_id":,"deployment_id":,',
  '"deployment_type":"live","strategy_id":,"created_at":"20T00:00:00.000Z"}],"channels":["push"]}',
];

const FACTS = [
  '{"strategy_id":,"strategy_name":"","symbols":[""],"timeframe":"1d","status":"requested","status":"active",',
  '"status_at":17,"stop_reason":null,"deployed_at":"20T00:00:00.000Z","started_at":"20T00:00:00.000Z",',
  '"unread":{"mark":0,"count":0},"seen":[],',
  '"kind":"live","mode":"live","mode":"virtual","starting_capital":"10000","currency":"USD","prediction_market":false,',
  '"channels":["push"],"contract_sizes":{"":"1"},"quote_currencies":{},"source":"engine","limits":{"merged":{',
  '"daily_loss":null,"daily_loss_pct":null,"drawdown_pct":null,"open_positions":null,"position_value":null,',
  '"order_value":null,"orders_per_day":null,"orders_per_minute":null,"symbols":null,"hours":null}}',
];

const PROGRESS = [
  '{"phase":"waiting","phase":"exited","phase":"entered","updated_at":"20T00:00:00.000Z","orders_count":1,"sent":{},',
  '"change_seq":1,"risk":{',
  RISK_STATE,
  ',',
  ...LATEST_ORDER,
];

const TRADE = [
  '{"deployment_id":,"strategy_id":,"mode":"live","mode":"virtual","currency":"USD","number":1,"symbol":"",',
  '"side":"short","side":"long","quantity":"1","entry_average":"1","exit_average":"1","entry_value":"1","gross":"-1",',
  '"gross":"1","fees":"0","swap":"0","net":"-1","net":"1","opened_at":"20T00:00:00.000Z",',
  '"closed_at":"20T00:00:00.000Z","duration_s":1,"client_order_id":""}',
];

const ACCOUNT_VALUES =
  '"0","0","0",0,"0","0",[0,0,0,0,"0","0",null,null,0,0,0,0,0,"10000","10000","0","0",null,"0"],[0,"10000","10000",0,0,' +
  '"0","0","0","10000","0"],null,0,"0",0,[]]';

const LEDGER_VALUES = [
  '[[10,12,13,14],1,17,"10000",252,["",""],{"":"1"},{"":[[17,""]]},{"rejected":1,"cancelled":1,"partially_filled":1,',
  '"open":1,"filled":1},null,0,{"through":"20","held":[]},[0,"20",17,{"":[0,[0,"","","","","0","0","1","0",17,[17,""]],',
  '"0","1","0",17]},',
  ACCOUNT_VALUES,
  ',[["swap",17,"","charge-","-0."],["fill",17,"","",1,"-10","-","0"]],[0,"20",0,{},',
  ACCOUNT_VALUES,
  ']',
];

const SUMMARY_VALUES = [
  '[[5,6,11,12,14,18,19,20,21,28],28,28,"Strategy ",["","1d","virtual","active","entered",null,false,"USD","10000","20[[[10],',
  '"","long","1",null,null,null,"20","0",[0,"1","1","20T00:00:00.000Z"]]],[[15,16],"0",null,0,"10000",0,0],{"filled":1},1,',
  '[0,28,"","buy","filled",null,"20T00:00:00.000Z"],[0,[0,null,[[4,6,8,9],"20",29,"10000",[]]]]',
];

/** A text, and the number under which records name it. */
interface Dictionary {
  readonly id: number;
  readonly text: Buffer;
}

const dictionary = (id: number, lines: readonly string[]): Dictionary => ({
  id,
  text: Buffer.from(lines.join('')),
});

/** Dictionaries by kind of record. */
export const DICTIONARIES = {
  ledger: dictionary(1, LEDGER),
  order: dictionary(2, ORDER),
  summary: dictionary(3, SUMMARY),
  entries: dictionary(4, ENTRIES),
  facts: dictionary(5, FACTS),
  progress: dictionary(6, PROGRESS),
  trade: dictionary(7, TRADE),
  ledger_values: dictionary(8, LEDGER_VALUES),
  summary_values: dictionary(9, SUMMARY_VALUES),
};

export type DictionaryName = keyof typeof DICTIONARIES;
