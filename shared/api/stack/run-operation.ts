import { type Answer, answerOf } from '../answer.ts';
import type { ApiEvent } from '../api-event.ts';
import { declaring } from '../declared-errors.ts';
import type { Operation } from '../operation.ts';
import { replay } from './answer-once.ts';
import { opened } from './open-call.ts';
import { Slot } from './slot.ts';
import { validRequest } from './validate-input.ts';

/** Record of the answer of a paged list. */
export const page = new Slot<unknown>('the page');

/** Runs the operation, at the end of the stack. A kept answer takes its place. */
export const runOperation =
  (operation: Operation) =>
  async (event: ApiEvent): Promise<Answer> => {
    const kept = replay.find(event);
    if (kept) return kept;
    const state = opened.get(event);
    state.isRunning = true;
    const result = await declaring(operation, () => validRequest.get(event).bound.run(state.call));
    if (operation.isPaged && 'json' in result) page.set(event, result.json);
    return answerOf(result, [...state.cookies]);
  };
