/**
 * Versions of the engine that this code can run, oldest first. A version increases when the same rules over the same
 * bars give another result. To add one, add its number here, and let the parts of the evaluator that differ take the
 * `version` of the compiled program. Every version must read the accounts that the others have saved.
 */
export const ENGINE_VERSIONS: readonly number[] = [1];
