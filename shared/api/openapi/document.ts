import type { JsonSchema } from './schemas.ts';

/** Parameter of an operation, or a reference to one. */
export type OpenApiParameter =
  | { readonly $ref: string }
  | {
      readonly name: string;
      readonly in: 'query' | 'path' | 'header';
      readonly required: boolean;
      readonly schema: JsonSchema;
      readonly description?: string;
      readonly 'x-extension'?: true;
    };

/** Body of a media type. */
interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly 'x-extension'?: true;
}

export type Content = Readonly<Record<string, MediaType>>;

/** Header of answers, or a reference to one. */
export type OpenApiHeader =
  | { readonly $ref: string }
  | { readonly description: string; readonly schema: JsonSchema; readonly 'x-extension'?: true };

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
  readonly content?: Content;
  readonly 'x-extension'?: true;
}

export interface OpenApiOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly operationId: string;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Content; readonly required: true };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-extension'?: true;
  /** True if a form or a JSON object in the body may hold the parameters. */
  readonly 'x-parameters-in-body'?: true;
  /** Scope that an API key needs; absent if no key may call the operation. */
  readonly 'x-api-key-scope'?: string;
}

export interface OpenApiDocument {
  readonly openapi: '3.0.2';
  readonly info: {
    readonly title: string;
    readonly description: string;
    readonly version: string;
    readonly license: { readonly name: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  /** Keys: the path, then the method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly headers: Readonly<Record<string, OpenApiHeader>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
}
