import { type Ledger, ledgerSchema } from '../../domain/ledger/ledger-state.ts';
import { packParts, unpack, unpackedAt } from '../table/packed.ts';

/** Packs a ledger for its deployment's item: an event adds one entry and changes the head. Freezes entries and base. */
export const packLedger = ({ recent, base, ...ledger }: Ledger): Uint8Array<ArrayBuffer> =>
  packParts(ledger, { recent, base }, 'ledger');

/** Unpacks what {@link packLedger} packed. @throws NewerRecordError @throws ZodError for damaged bytes */
export const unpackLedger = (bytes: Uint8Array): Ledger =>
  unpackedAt('ledger', () => unpack(ledgerSchema, bytes));
