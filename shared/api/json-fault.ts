import { ValidationError } from './errors.ts';
import { locateJsonFault } from './python-json.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Builds the error for a body that the JSON parser refused. It has the position and the reason, but no part of the
 * body. The parser also refuses keys that would change the prototype of an object.
 */
export const jsonFault = (text: string): ValidationError => {
  if (isJson(text)) {
    return new ValidationError([{ loc: ['body'], msg: 'a key is not allowed', type: 'value_error.key' }]);
  }
  const { msg, pos, lineno, colno } = locateJsonFault(text);
  return new ValidationError([
    {
      loc: ['body', pos],
      msg: `${msg}: line ${lineno} column ${colno} (char ${pos})`,
      type: 'value_error.jsondecode',
      ctx: { msg, pos, lineno, colno },
    },
  ]);
};
