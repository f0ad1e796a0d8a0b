import { describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../../../functions/operations.ts';
import { stages } from '../complete.ts';
import { invokedBy, type Resource, resourcesOf, type Synthesized } from '../synthesized.ts';

interface Join {
  readonly 'Fn::Join': readonly [string, readonly unknown[]];
}
interface Route {
  readonly RouteKey: string;
  readonly Target: Join;
  readonly AuthorizerId?: { readonly Ref: string };
}
interface Permission {
  readonly Action: string;
  readonly Principal: string;
  readonly FunctionName: unknown;
  readonly SourceArn: unknown;
}

/** Resolves the references of a source ARN as CloudFormation does. */
const VALUES: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-west-1',
  'AWS::AccountId': '123456789012',
};

const isJoin = (value: unknown): value is Join =>
  typeof value === 'object' && value !== null && 'Fn::Join' in value;
const refOf = (value: unknown): string => {
  if (typeof value === 'object' && value !== null && 'Ref' in value && typeof value.Ref === 'string') {
    return value.Ref;
  }
  throw new Error(`${JSON.stringify(value)} is no reference`);
};

/** Returns the text of a value; a resource is written as its id. */
const resolve = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!isJoin(value)) return VALUES[refOf(value)] ?? refOf(value);
  const [separator, parts] = value['Fn::Join'];
  return parts.map(resolve).join(separator);
};

/** IAM's ArnLike: compares the six parts between colons, in which `*` matches any text. */
const isArnLike = (pattern: string, arn: string): boolean => {
  const partsOf = (text: string): string[] => {
    const parts = text.split(':');
    return [...parts.slice(0, 5), parts.slice(5).join(':')];
  };
  const given = partsOf(arn);
  return partsOf(pattern).every((part, index) =>
    new RegExp(`^${part.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`).test(given[index] ?? ''),
  );
};

/** Returns the ARN by which API Gateway invokes the function behind a route of the `$default` stage. */
const invokeArn = (apiId: string, routeKey: string): string => {
  const place = `arn:aws:execute-api:eu-west-1:123456789012:${apiId}/$default`;
  if (routeKey === '$default') return `${place}/$default`;
  const [method, path] = routeKey.split(' ');
  return `${place}/${method}${path}`;
};

const only = <T>(resources: Record<string, T>): readonly [string, T] => {
  const [found, ...others] = Object.entries(resources);
  if (!found || others.length > 0) throw new Error('there is not exactly one');
  return found;
};

const gatewayOf = ({ api }: Synthesized) => {
  const [apiId] = only(resourcesOf(api, 'AWS::ApiGatewayV2::Api'));
  const integrations = resourcesOf<{ readonly IntegrationUri: unknown }>(
    api,
    'AWS::ApiGatewayV2::Integration',
  );
  const permissions = Object.values(resourcesOf<Permission>(api, 'AWS::Lambda::Permission'));
  const sourcesFor = (functionId: string | undefined): string[] =>
    permissions
      .map(({ Properties }: Resource<Permission>) => Properties)
      .filter(
        ({ Action, Principal, FunctionName }) =>
          Action === 'lambda:InvokeFunction' &&
          Principal === 'apigateway.amazonaws.com' &&
          invokedBy(api, FunctionName) === functionId,
      )
      .map(({ SourceArn }) => resolve(SourceArn));
  const functionBehind = ({ Target }: Route): string | undefined =>
    invokedBy(api, integrations[refOf(Target['Fn::Join'][1][1])]?.Properties.IntegrationUri);
  return { apiId, sourcesFor, functionBehind };
};

describe.each(stages)('the gateway of the stage $name', (stage) => {
  const { apiId, sourcesFor, functionBehind } = gatewayOf(stage);
  const routes = Object.values(resourcesOf<Route>(stage.api, 'AWS::ApiGatewayV2::Route')).map(
    ({ Properties }) => Properties,
  );

  test('may invoke the function behind every route', () => {
    expect(routes).toHaveLength(OPERATIONS.length);
    const refused = routes.filter((route) => {
      const arn = invokeArn(apiId, route.RouteKey);
      return !sourcesFor(functionBehind(route)).some((source) => isArnLike(source, arn));
    });
    expect(refused.map(({ RouteKey }) => RouteKey)).toEqual([]);
  });

  test('may invoke the function of every authorizer', () => {
    const authorizers = resourcesOf<{ readonly AuthorizerUri: Join }>(
      stage.api,
      'AWS::ApiGatewayV2::Authorizer',
    );
    expect(Object.keys(authorizers).sort()).toEqual(
      [...new Set(routes.flatMap(({ AuthorizerId }) => AuthorizerId?.Ref ?? []))].sort(),
    );
    for (const [id, { Properties }] of Object.entries(authorizers)) {
      const functionId = invokedBy(stage.api, Properties.AuthorizerUri);
      const arn = `arn:aws:execute-api:eu-west-1:123456789012:${apiId}/authorizers/${id}`;
      expect(sourcesFor(functionId).filter((source) => isArnLike(source, arn))).toHaveLength(1);
    }
  });

  test('answers unknown paths itself', () => {
    expect(routes.filter(({ RouteKey }) => /^(\$default|ANY |OPTIONS )/.test(RouteKey))).toEqual([]);
  });
});

test('a permission for every method and path does not reach a route without either', () => {
  const source = 'arn:aws:execute-api:eu-west-1:123456789012:api/*/*/*';
  expect(isArnLike(source, invokeArn('api', 'GET /users/{id}'))).toBe(true);
  expect(isArnLike(source, invokeArn('other', 'GET /users/{id}'))).toBe(false);
  expect(isArnLike(source, invokeArn('api', '$default'))).toBe(false);
});
