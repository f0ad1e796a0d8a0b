import { Alpaca, errors } from '@alpacahq/alpaca-trade-api';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fakeAlpaca, NEW_YORK_SESSIONS } from '../../support/alpaca.ts';

const MINUTE_MS = 60_000;
/** 10:00 in New York on a Monday. */
const MORNING = Date.UTC(2026, 0, 5, 15);

let now = MORNING;
const alpaca = await fakeAlpaca(() => new Date(now));
/** Alpaca's own client, generated from its published description. */
const client = new Alpaca({
  keyId: alpaca.keys.keyId,
  secret: alpaca.keys.secret,
  basePath: alpaca.url,
  retries: 0,
});
const { orders, positions, clock } = client.trading;

afterAll(() => alpaca.close());
beforeEach(() => {
  now = MORNING;
  alpaca.reset();
  alpaca.price = '100';
  alpaca.market.sessions = NEW_YORK_SESSIONS;
});
