import { advanceSeries as advanceSeriesEntry } from '../../../functions/engine/advance-series.ts';
import { keepMatches as keepMatchesEntry } from '../../../functions/engine/scan/keep-matches.ts';
import { serveAccounts as serveAccountsEntry } from '../../../functions/engine/serve-accounts.ts';
import { takeEngineEvent as takeEngineEventEntry } from '../../../functions/engine/take-event.ts';
import { takeFeedEvent as takeFeedEventEntry } from '../../../functions/engine/take-feed-event.ts';
import { inRole } from '../roles.ts';

export const takeEngineEvent = inRole('engine', takeEngineEventEntry);
export const takeFeedEvent = inRole('engine', takeFeedEventEntry);
export const advanceSeries = inRole('engine', advanceSeriesEntry);
export const keepMatches = inRole('engine', keepMatchesEntry);
export const serveAccounts = inRole('engine', serveAccountsEntry);
