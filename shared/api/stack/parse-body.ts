import type { Request } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import urlencodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ApiEvent } from '../api-event.ts';
import { checkDepth, checkFieldCount, checkSize } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { bodyText, parserFor, type SentBody } from '../request.ts';
import type { Middleware } from './middleware.ts';
import { Slot } from './slot.ts';

/** Body of the request as it was sent, and the parser that reads it. */
export const sentBody = new Slot<SentBody>('the body');

/** Refuses requests that are too large, nested too deep, or have too many fields, before they are parsed. */
export const limitSize = (operation: Operation): Middleware => ({
  before: ({ event }) => {
    checkSize(operation, event);
    const text = bodyText(event) ?? '';
    const parser = text === '' ? undefined : parserFor(operation, event);
    sentBody.set(event, { text, parser });
    if (parser === 'json') checkDepth(text);
    if (parser === 'form') checkFieldCount(text);
  },
});

/** Body parser of middy. It replaces the body of the event. */
interface BodyParser {
  before?(request: Request<ApiEvent, unknown, Error, Context>): unknown;
}

/** Runs a body parser only for bodies of its type. Other bodies stay unparsed and fail validation. */
const when = (parser: SentBody['parser'], { before }: BodyParser): Middleware => ({
  before: async (request) => {
    if (sentBody.get(request.event).parser === parser) await before?.(request);
  },
});

/** Parses a JSON body. */
export const parseJson = (): Middleware =>
  when('json', jsonBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true }));

/** Parses a form body. */
export const parseForm = (): Middleware =>
  when('form', urlencodeBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true }));
