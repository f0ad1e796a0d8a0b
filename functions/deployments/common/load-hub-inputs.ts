/** Loads what records manual closes for the hub's engine. Other requests do not pay for the code of candles. */
export const loadHubInputs = () => import('./hub-inputs.ts');
