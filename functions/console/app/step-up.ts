import { effect, signal } from '@preact/signals';
import { isSessionOver } from './session-cookies.ts';

/** Step-up that refused requests wait for. */
interface StepUpRequest {
  /** Ways of the account. */
  readonly ways: readonly string[];
  /** Sends the requests again. */
  readonly done: () => void;
  /** Ends the wait, and shows the refusals. */
  readonly end: () => void;
}

/** The step-up that the dialog asks for; undefined without one. */
export const stepUpRequest = signal<StepUpRequest | undefined>(undefined);

let asking: Promise<boolean> | undefined;

/**
 * Opens the dialog of the step-up, once for all requests that wait for it.
 *
 * @returns whether the session is stepped up now.
 */
export const askStepUp = (ways: readonly string[]): Promise<boolean> => {
  asking ??= new Promise<boolean>((resolve) => {
    stepUpRequest.value = { ways, done: () => resolve(true), end: () => resolve(false) };
  }).finally(() => {
    asking = undefined;
    stepUpRequest.value = undefined;
  });
  return asking;
};

// Without the session nothing waits for its step-up.
effect(() => {
  if (isSessionOver.value) stepUpRequest.peek()?.end();
});
