import { startKms } from '../../support/kms.ts';
import { measureChanges } from './measure-changes.ts';
import { measureRecords } from './measure-records.ts';
import { measureTrading } from './measure-trading.ts';
import { measureUnits } from './measure-units.ts';
import type { RecordKind } from './record-units.ts';
import type { RequestKind } from './request-units.ts';
import type { TradingKind } from './trading-units.ts';
import type { Units } from './units.ts';

/** Measures requests, change events and trading. They share a KMS, since functions keep its address. */
export const measureAll = async (): Promise<
  Partial<Record<RequestKind | TradingKind | RecordKind, Units>>
> => {
  const environment = { ...process.env };
  const kms = await startKms();
  try {
    return {
      ...(await measureUnits()),
      ...(await measureChanges()),
      ...(await measureTrading()),
      ...(await measureRecords()),
    };
  } finally {
    process.env = environment;
    await kms.close();
  }
};
