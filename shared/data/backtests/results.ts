import * as z from 'zod';
import { reportSchema } from '../../domain/engine/backtest/report.ts';
import { backtestSetupSchema } from '../../domain/engine/backtest/setup.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Write } from '../table/writes.ts';

const setupItem = z.object({ setup: packed(backtestSetupSchema) });
const reportItem = z.object({ report: packed(reportSchema) });

/** Parses the setup of a backtest. */
export const setupIn = (item: Item) => parseItem(setupItem, item).setup;

/** Parses the result of a backtest; undefined if it is not finished. */
export const reportIn = (item: Item | undefined) => item && parseItem(reportItem, item).report;

/** Returns the write of a backtest's setup. */
export const setupWrite = (backtestId: number, setup: z.output<typeof backtestSetupSchema>): Write => ({
  put: { ...keys.backtestSetup(backtestId), entity: 'backtest_setup', setup: pack(setup) },
});

/** Returns the write of a backtest's result. */
export const reportWrite = (backtestId: number, report: z.output<typeof reportSchema>): Write => ({
  put: { ...keys.backtestReport(backtestId), entity: 'backtest_report', report: pack(report) },
});
