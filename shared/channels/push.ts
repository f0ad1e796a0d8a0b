import type { Runtime } from '../runtime.ts';
import { sendFcm } from './push-fcm.ts';
import type { PushNote, PushOutcome } from './push-note.ts';
import { sendWebPush } from './push-web.ts';

/** The push service of a device, and its address there. */
interface PushTarget {
  readonly kind: 'fcm' | 'web_push';
  readonly push_key: string;
}

/**
 * Sends a note to the push service of a device.
 *
 * @throws UpstreamDownError if the service could not be reached in time.
 */
export const sendPush = (
  runtime: Runtime,
  { kind, push_key }: PushTarget,
  note: PushNote,
): Promise<PushOutcome> =>
  kind === 'fcm' ? sendFcm(runtime, push_key, note) : sendWebPush(runtime, push_key, note);
