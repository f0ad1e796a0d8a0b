import type { Descriptions } from '../../../shared/api/openapi/describe.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { FIELDS } from './fields.ts';
import { GROUPS } from './groups.ts';
import { RECORDS } from './records.ts';

/** Holds every description of the OpenAPI document but those of operations. Only the build reads it. */
export const DESCRIPTIONS: Descriptions = {
  groups: GROUPS,
  records: RECORDS,
  fields: FIELDS,
  exceptions: EXCEPTIONS,
};
