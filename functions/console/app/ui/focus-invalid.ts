/** Moves the focus to the first field of a form that needs another value, once its problem is shown. */
export const focusInvalid = (form: HTMLElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
};
