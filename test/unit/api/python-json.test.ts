import { locateJsonFault } from '../../../shared/api/python-json.ts';
import oracle from '../data/json-faults.json' with { type: 'json' };

describe('position and message of a JSON fault', () => {
  test.each(oracle.cases)('of $text equal those of the contract’s decoder', ({ text, ...fault }) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(locateJsonFault(text)).toEqual(fault);
  });

  test('never contain a part of the text', () => {
    const { msg } = locateJsonFault('{"password": "hunter2hunter2" "email"}');
    expect(msg).toBe("Expecting ',' delimiter");
  });

  test('are found in a text of several megabytes', () => {
    const rows = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'é😀\n' })));
    const text = `${rows.slice(0, -1)},]`;
    expect(locateJsonFault(text)).toMatchObject({ msg: 'Expecting value', pos: [...text].length - 1 });
  });

  test('are found at any depth of nesting', () => {
    expect(locateJsonFault('['.repeat(1_000_000))).toMatchObject({ msg: 'Nesting is too deep', lineno: 1 });
    expect(locateJsonFault('{"a":'.repeat(1_000_000))).toMatchObject({
      msg: 'Nesting is too deep',
      lineno: 1,
    });
    expect(locateJsonFault('['.repeat(400))).toMatchObject({ msg: 'Expecting value', pos: 400 });
  });
});
