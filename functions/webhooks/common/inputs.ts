import * as z from 'zod';
import type { ValidationError } from '../../../shared/api/errors.ts';
import { storedInteger } from '../../../shared/api/fields.ts';
import { invalidValue } from '../../../shared/api/refusals.ts';
import { webhookUrl } from '../../../shared/channels/webhook.ts';
import { changeTypes } from '../../../shared/domain/changes/catalogue.ts';
import { readableText } from '../../../shared/domain/text.ts';
import type { Runtime } from '../../../shared/runtime.ts';

const MAX_URL = 500;
const MAX_DEPLOYMENTS = 50;
const MAX_DESCRIPTION = 200;
const MAX_ID = 64;

/** Types that a filter can name. Events about the endpoint itself pass every filter. */
const TYPES = changeTypes().filter((type) => !type.startsWith('webhook.'));

/** Fields of an endpoint that its owner chooses. */
export const chosenFields = {
  url: z.string().max(MAX_URL),
  events: z.array(z.enum(TYPES)).max(TYPES.length),
  deployment_ids: z.array(storedInteger()).min(1).max(MAX_DEPLOYMENTS).nullable(),
  description: readableText({ min: 0, max: MAX_DESCRIPTION }),
};

/** Query parameter that names an endpoint. */
export const endpointQuery = { endpoint_id: z.string().max(MAX_ID) };

const refusedUrl = (): ValidationError =>
  invalidValue(
    ['body', 'url'],
    'the URL must be public and use https, without user name, password and fragment',
    'value_error.url',
  );

/** Checks the address of an endpoint. Every attempt checks again where it leads. @throws ValidationError */
export const checkUrl = ({ capability }: Runtime, url: string): void => {
  if (!webhookUrl(url, capability('webhooks').HUB_WEBHOOK_REACH)) throw refusedUrl();
};
