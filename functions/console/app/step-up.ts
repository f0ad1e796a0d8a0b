import { signal } from '@preact/signals';

/** Step-up that refused requests wait for. */
interface StepUpRequest {
  /** Ways of the account. */
  readonly ways: readonly string[];
  /** Ends the wait: the requests are sent again, or their refusals shown. */
  readonly settle: (isDone: boolean) => void;
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
    stepUpRequest.value = { ways, settle: resolve };
  }).finally(() => {
    asking = undefined;
    stepUpRequest.value = undefined;
  });
  return asking;
};
