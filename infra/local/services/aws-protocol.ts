import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import { problemsOf } from '../../../shared/domain/issue-texts.ts';
import { reasonOf } from '../database/data-unusable.ts';
import { BodyTooLargeError, readBody, sendJson } from '../gateway/server.ts';

/** Error of an AWS service. */
export class AwsError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers in the AWS JSON 1.1 protocol. */
export const sendAwsJson = (response: ServerResponse, value: unknown): void =>
  sendJson(response, 200, value, { 'content-type': 'application/x-amz-json-1.1' });

/** Answers with an error in the format of the JSON protocols. */
export const sendAwsError = (response: ServerResponse, { code, message }: AwsError, status = 400): void =>
  sendJson(
    response,
    status,
    { __type: code, message },
    { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': code },
  );

/**
 * Answers with an error that ended a request. An unexpected one is a 500, which clients retry.
 *
 * @param code of an unexpected error.
 */
export const sendFailure = (response: ServerResponse, error: unknown, code: string): void => {
  if (response.headersSent) return;
  if (error instanceof AwsError) {
    sendAwsError(response, error);
    return;
  }
  const reason = reasonOf(error);
  const message = reason === undefined ? String(error) : `The local service cannot write: ${reason}.`;
  sendAwsError(response, new AwsError(code, message), 500);
};

/** Returns the operation of a request in the AWS JSON protocol. */
export const awsTarget = (request: IncomingMessage): string => String(request.headers['x-amz-target'] ?? '');

/** Reads the JSON input of an AWS operation. @throws AwsError if it does not match the schema. */
export const readAwsJson = async <S extends z.ZodType>(
  request: IncomingMessage,
  schema: S,
  limit: number,
): Promise<z.output<S>> => {
  let body: unknown;
  try {
    body = JSON.parse((await readBody(request, limit)).toString('utf8') || '{}');
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw new AwsError('RequestEntityTooLargeException', error.message);
    throw new AwsError('SerializationException', 'The request is not JSON');
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new AwsError('ValidationException', problemsOf(parsed.error, body).join('; '));
  return parsed.data;
};
