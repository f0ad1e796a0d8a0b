/** Purposes of one-time codes. Apart from the codes, so that functions with messages alone do not load their schemas. */
export const CODE_PURPOSES = ['password_reset', 'phone'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];
