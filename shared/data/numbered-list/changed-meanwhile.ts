/** Every attempt of a change conflicted with other writers. Nothing was written. */
export class ChangedMeanwhileError extends Error {
  constructor(cause: unknown) {
    super('a change conflicted with other writers in every attempt', { cause });
    this.name = 'ChangedMeanwhileError';
  }
}
