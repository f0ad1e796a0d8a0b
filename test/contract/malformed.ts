import type { ValidationDetail } from '../../shared/api/validation-detail.ts';
import { bodiesOf } from './bodies.ts';
import { type Fault, MISSING, NOT_INTEGER, parameterFaults } from './faults.ts';
import type { Sent } from './gateway.ts';
import { routeKeyOf, type SpecOperation, type SpecParameter } from './spec.ts';

/** An invalid request of an operation, and the entries that its answer must have. */
export interface Malformed {
  readonly note: string;
  readonly request: Sent;
  readonly detail: readonly ValidationDetail[];
}

/** Valid values of fields whose operations check more than the declared type. */
const SAMPLES: Readonly<Record<string, string>> = {
  email: 'person@example.com',
  user_email: 'person@example.com',
  ph_number: '+14155552671',
  new_password: 'correct horse battery',
  mode: 'live',
  otp: '123456',
  timeframe: '1d',
  publish_state: '1',
  strategy_ids: '7',
  deployment_ids: '7',
  close_value: '101.5',
};
const SAMPLE_OF = { string: 'x', integer: '7', boolean: 'true' } as const;

/** Query of a request and the entries for its wrong parameters. */
const queryWith = (
  parameters: readonly SpecParameter[],
  faults: ReadonlyMap<string, Fault>,
  samples: Readonly<Record<string, string>> = {},
) => ({
  query: parameters.flatMap(({ name, type, required }): [string, string][] => {
    const fault = faults.get(name);
    if (fault) return fault.value === undefined ? [] : [[name, String(fault.value)]];
    return required ? [[name, samples[name] ?? SAMPLE_OF[type ?? 'string']]] : [];
  }),
  detail: parameters.flatMap(({ name }): ValidationDetail[] => {
    const fault = faults.get(name);
    return fault ? [{ loc: ['query', name], ...fault.problem }] : [];
  }),
});

/** Returns a valid request of an operation, by the contract. */
export const wellFormed = (operation: SpecOperation): Sent => ({
  routeKey: routeKeyOf(operation),
  params: Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '7'])),
  query: queryWith(operation.parameters, new Map(), SAMPLES).query,
  ...bodiesOf(operation).good,
});

/** Returns every kind of invalid request of an operation, with the expected entries. */
export const malformedRequests = (operation: SpecOperation): Malformed[] => {
  const { parameters } = operation;
  const routeKey = routeKeyOf(operation);
  const { good, bad } = bodiesOf(operation);
  const worst = new Map(
    parameters.flatMap((p) =>
      parameterFaults(p)
        .slice(-1)
        .map((fault) => [p.name, fault] as const),
    ),
  );
  const missing = new Map(
    parameters
      .filter(({ required }) => required)
      .map(({ name }) => [name, { note: 'missing', problem: MISSING }]),
  );

  const withQuery = (note: string, faults: ReadonlyMap<string, Fault>): Malformed => {
    const { query, detail } = queryWith(parameters, faults);
    return { note, request: { routeKey, query, ...good }, detail };
  };
  const single = parameters.flatMap((p) =>
    parameterFaults(p).map((fault) => withQuery(`${p.name} ${fault.note}`, new Map([[p.name, fault]]))),
  );
  const repeated = parameters
    .filter(({ type }) => type === 'integer')
    .map(({ name }) => {
      const { request, detail, note } = withQuery(
        `${name} repeated, the last one bad`,
        new Map([[name, { note: '', value: 'abc', problem: NOT_INTEGER }]]),
      );
      return {
        note,
        detail,
        request: { ...request, query: [[name, '7'] as const, ...(request.query ?? [])] },
      };
    });
  const bodies = bad.flatMap(({ note, headers, text, detail, alone }) =>
    [new Map<string, Fault>(), ...(worst.size > 0 ? [worst] : [])].map((faults): Malformed => {
      const { query, detail: inQuery } = queryWith(parameters, faults);
      return {
        note: `${note}${faults.size > 0 ? ', and every parameter bad' : ''}`,
        request: { routeKey, query, headers, body: text },
        detail: alone ? detail : [...inQuery, ...detail],
      };
    }),
  );
  const cases = [
    ...(missing.size > 1 ? [withQuery('every required parameter missing', missing)] : []),
    ...(worst.size > 1 ? [withQuery('every parameter bad', worst)] : []),
    ...single,
    ...repeated,
    ...bodies,
  ];
  // A form may be missing if all of its fields are optional.
  return cases.filter(({ detail }) => detail.length > 0);
};
