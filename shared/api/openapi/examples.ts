import type { OpenApiDocument, OpenApiOperation } from './document.ts';

/** Bodies of requests, or answers of status 200, by operation id. */
export type Examples = Readonly<Record<string, unknown>>;

const withRequest = (operation: OpenApiOperation, requests: Examples): OpenApiOperation => {
  const { requestBody, operationId } = operation;
  if (!requestBody || !(operationId in requests)) return operation;
  const content = Object.entries(requestBody.content).map(([type, media]) => [
    type,
    { ...media, example: requests[operationId] },
  ]);
  return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } };
};

const withExample = (operation: OpenApiOperation, example: unknown): OpenApiOperation => {
  const { 200: success, ...others } = operation.responses;
  const content = success?.content?.['application/json'];
  if (!success || !content) return operation;
  return {
    ...operation,
    responses: {
      ...others,
      200: { ...success, content: { ...success.content, 'application/json': { ...content, example } } },
    },
  };
};

/** Adds an example of the body and of the answer to every operation that has one. */
export const addExamples = (
  document: OpenApiDocument,
  examples: Examples,
  requests: Examples,
): OpenApiDocument => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          operation.operationId in examples
            ? withExample(withRequest(operation, requests), examples[operation.operationId])
            : withRequest(operation, requests),
        ]),
      ),
    ]),
  ),
});
