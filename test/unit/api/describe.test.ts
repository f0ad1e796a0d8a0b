import { type Descriptions, describeDocument } from '../../../shared/api/openapi/describe.ts';
import type { OpenApiDocument } from '../../../shared/api/openapi/document.ts';
import type { JsonSchema } from '../../../shared/api/openapi/schemas.ts';

const text = { type: 'string' } as const;

const documentOf = (properties: JsonSchema): OpenApiDocument => ({
  openapi: '3.0.2',
  info: { title: 'Test', description: 'A test.', version: '0.1.0', license: { name: 'MIT' } },
  servers: [],
  tags: [{ name: 'group' }],
  paths: {
    '/one': {
      get: {
        tags: ['group'],
        summary: 'An operation',
        operationId: 'one_one_get',
        parameters: [{ name: 'status', in: 'query', required: true, schema: text }],
        responses: {},
        security: [],
      },
    },
  },
  components: {
    schemas: { Thing: { type: 'object', properties } },
    parameters: {},
    headers: {},
    securitySchemes: {},
  },
});

const DESCRIPTIONS: Descriptions = {
  groups: { group: 'A group.' },
  records: { Thing: 'A thing.' },
  fields: { status: 'Status.', parts: 'Parts of the thing.' },
  exceptions: { 'parts.status': 'Status of the part.', 'Thing.status': 'Status of the thing.' },
};

const parts = { type: 'array', items: { type: 'object', properties: { status: text } } };

describe('the descriptions of the OpenAPI document', () => {
  test('reach tags, records, parameters and properties, the innermost place first', () => {
    const described = describeDocument(documentOf({ status: text, parts }), DESCRIPTIONS);
    expect(described.tags).toEqual([{ name: 'group', description: 'A group.' }]);
    expect(described.paths['/one']?.get?.parameters).toEqual([
      { name: 'status', in: 'query', required: true, schema: text, description: 'Status.' },
    ]);
    const part = { status: { ...text, description: 'Status of the part.' } };
    expect(described.components.schemas).toEqual({
      Thing: {
        type: 'object',
        description: 'A thing.',
        properties: {
          status: { ...text, description: 'Status of the thing.' },
          parts: {
            type: 'array',
            items: { type: 'object', properties: part },
            description: 'Parts of the thing.',
          },
        },
      },
    });
  });

  test('leave a reference as it is', () => {
    const whole = { $ref: '#/components/schemas/Whole' };
    const described = describeDocument(documentOf({ whole, status: text, parts }), DESCRIPTIONS);
    expect(described.components.schemas.Thing).toMatchObject({ properties: { whole } });
  });

  test('name a field that has none, and a description that has no field', () => {
    expect(() => describeDocument(documentOf({ status: text, size: text }), DESCRIPTIONS)).toThrow(
      [
        'descriptions of the OpenAPI document:',
        'not described: fields: size of Thing',
        'describes nothing: fields: parts',
        'describes nothing: exceptions: parts.status',
      ].join('\n'),
    );
  });
});
