import { type Ledger, ledgerSchema } from '../../domain/ledger/ledger-state.ts';
import { pack, unpack, unpackedAt } from '../table/packed.ts';

/** Packs a ledger for its deployment's item. */
export const packLedger = (ledger: Ledger): Uint8Array<ArrayBuffer> => pack(ledger);

/** Unpacks what {@link packLedger} packed. @throws NewerRecordError @throws ZodError for damaged bytes */
export const unpackLedger = (bytes: Uint8Array): Ledger =>
  unpackedAt('ledger', () => unpack(ledgerSchema, bytes));
