import type { Runtime } from '../../runtime.ts';
import { HubError, ValidationError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { paramsOf } from '../request.ts';
import type { Middleware } from './middleware.ts';
import { sentBody } from './parse-body.ts';

/** Lets an operation note its refusals, which its caller may never see: an alert has no reader. */
export const noteRefusals = ({ onRefused }: Operation, runtime: Runtime): Middleware => ({
  onError: async ({ event, error }) => {
    if (!onRefused || !(error instanceof HubError || error instanceof ValidationError)) return;
    const text = sentBody.find(event)?.text ?? '';
    await onRefused({ runtime, error, params: paramsOf(event), text });
  },
});
