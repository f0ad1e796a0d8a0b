import {
  ENGINE_ACCOUNTS_DUE,
  ENGINE_COMMANDED,
  ENGINE_ENDED,
  ENGINE_REQUESTED,
  SCANNERS_DUE,
  SERIES_DUE,
  SERIES_UNSETTLED,
} from '../../shared/data/engine/events.ts';
import type { BusSource } from '../declaration.ts';
import { BAR_EVENT_TYPES } from './bar-events.ts';

/**
 * Source of the function: events of the hub about deployments that it runs itself and their series, and bars of feeds.
 */
export const ENGINE_SOURCE: BusSource = {
  subscriptions: [
    {
      senders: 'hub',
      detailTypes: [
        ENGINE_REQUESTED,
        ENGINE_COMMANDED,
        ENGINE_ENDED,
        ENGINE_ACCOUNTS_DUE,
        SERIES_DUE,
        SERIES_UNSETTLED,
        SCANNERS_DUE,
      ],
    },
    { senders: 'feeds', detailTypes: BAR_EVENT_TYPES },
  ],
  maxRetries: 2,
  finalErrors: ['ZodError', 'MalformedEventError'],
  waitingErrors: ['EarlyBarError', 'SplitPendingError'],
};
