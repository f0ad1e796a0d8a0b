import * as z from 'zod';
import { ENGINES } from '../domain/deployments/engines.ts';

/** Declares the engine of a deployment, a field that the contract does not have. */
export const engineField = () => z.enum(ENGINES).meta({ 'x-extension': true });

/** Returns the engine that runs a deployment. */
export const engineOf = ({
  engine = 'external',
}: {
  readonly engine?: (typeof ENGINES)[number] | undefined;
}) => engine;
