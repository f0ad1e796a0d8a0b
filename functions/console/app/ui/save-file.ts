/** Lets the browser save a text as a file of the user. */
export const saveFile = (name: string, text: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read the address by the next turn.
  setTimeout(() => URL.revokeObjectURL(address));
};
