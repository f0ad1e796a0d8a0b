import type { OpenApiDocument, OpenApiOperation } from './document.ts';

/** Answers of status 200, by operation id. */
export type Examples = Readonly<Record<string, unknown>>;

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

/** Adds an example of the answer to every operation that has one. */
export const addExamples = (document: OpenApiDocument, examples: Examples): OpenApiDocument => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          operation.operationId in examples
            ? withExample(operation, examples[operation.operationId])
            : operation,
        ]),
      ),
    ]),
  ),
});
