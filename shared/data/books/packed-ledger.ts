import { type Ledger, ledgerSchema } from '../../domain/ledger/ledger-state.ts';
import { type History, historySchema } from '../../domain/metrics/equity-history.ts';
import { pack, unpack } from '../table/packed.ts';

/** A ledger as it is stored within its deployment. */
export const packLedger = (ledger: Ledger): Uint8Array<ArrayBuffer> => pack(ledger);

export const unpackLedger = (bytes: Uint8Array): Ledger => unpack(ledgerSchema, bytes);

/** The settled past of a deployment as it is stored, in an item of its own. */
export const packHistory = (history: History): Uint8Array<ArrayBuffer> => pack(history);

export const unpackHistory = (bytes: Uint8Array): History => unpack(historySchema, bytes);
