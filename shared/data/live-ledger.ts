import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type History, historySchema } from '../domain/equity-history.ts';
import { type Ledger, ledgerSchema } from '../domain/ledger-state.ts';

/**
 * A record as one value. Level 1 takes a tenth of a millisecond for a full ledger and leaves a quarter of its
 * bytes: that many fewer units.
 */
export const pack = (record: object): Uint8Array<ArrayBuffer> =>
  deflateRawSync(JSON.stringify(record), { level: 1 });

export const unpack = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString());

/** A ledger as it is stored within its deployment. */
export const packLedger = (ledger: Ledger): Uint8Array<ArrayBuffer> => pack(ledger);

export const unpackLedger = (bytes: Uint8Array): Ledger => ledgerSchema.parse(unpack(bytes));

/** The settled past of a deployment as it is stored, in an item of its own. */
export const packHistory = (history: History): Uint8Array<ArrayBuffer> => pack(history);

export const unpackHistory = (bytes: Uint8Array): History => historySchema.parse(unpack(bytes));
