import { randomBytes } from 'node:crypto';
import {
  DeleteParameterCommand,
  GetParameterCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  ParameterVersionNotFound,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import * as z from 'zod';
import { releaseLockParameter } from '../names.ts';
import type { HubConfig } from '../stage.ts';
import { ReleaseError, reasonOf } from './release-error.ts';

/** A release of everything takes three quarters of an hour, a roll-back may follow, and credentials last two hours. */
const HOLD_MS = 2 * 60 * 60 * 1000;

/** Attempts while other runs end. */
const ATTEMPTS = 5;

/** Commands that change the functions of a stage. */
export type ReleaseCommand = 'deploy' | 'roll-back';

const holderSchema = z.object({
  /** Random name of the run. */
  id: z.string(),
  /** A {@link ReleaseCommand}, or another one of a newer version. */
  command: z.string(),
  began_at: z.string(),
  expires_at: z.string(),
});

type Holder = Readonly<z.output<typeof holderSchema>>;

/** A lock that this process holds. */
export interface HeldLock {
  /** Call before each change. @throws ReleaseError if another run has taken the lock over. */
  readonly confirm: () => Promise<void>;
  readonly free: () => Promise<void>;
}

const describe = ({ command, id, began_at }: Holder): string =>
  `npm run ${command}, begun at ${began_at} (run ${id})`;

/** Lock of a stage: one release or roll-back at a time. It is a parameter, which is there before any stack. */
export class ReleaseLock {
  readonly #ssm: SSMClient;
  readonly #config: Pick<HubConfig, 'stage'>;
  readonly #name: string;

  constructor(ssm: SSMClient, config: Pick<HubConfig, 'stage'>) {
    this.#ssm = ssm;
    this.#config = config;
    this.#name = releaseLockParameter(config);
  }

  /**
   * Takes the lock. One that has expired is taken over, and any with `takeOver`.
   *
   * @throws ReleaseError if another run holds it.
   */
  async take(
    command: ReleaseCommand,
    { now, takeOver, print }: { now: Date; takeOver: boolean; print: (line: string) => void },
  ): Promise<HeldLock> {
    const own: Holder = {
      id: randomBytes(4).toString('hex'),
      command,
      began_at: now.toISOString(),
      expires_at: new Date(now.getTime() + HOLD_MS).toISOString(),
    };
    const held: HeldLock = { confirm: () => this.#confirm(own), free: () => this.#free(own, print) };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if ((await this.#put(own, false)) !== undefined) return held;
      const found = await this.#read();
      // The other run may have ended in between.
      if (!found) continue;
      // The answer to the first call was lost, and the SDK repeated it.
      if (found.holder.id === own.id) return held;
      const isExpired = Date.parse(found.holder.expires_at) <= now.getTime();
      if (!isExpired && !takeOver) throw this.#isHeld(found.holder, command);
      await this.#replace(found.version, own);
      print(`${isExpired ? 'Expired without an end' : 'Taken over'}: ${describe(found.holder)}.`);
      return held;
    }
    throw new ReleaseError(
      `The parameter ${this.#name} changes all the time. Nothing was changed. Try again.`,
    );
  }

  #isHeld(holder: Holder, command: ReleaseCommand): ReleaseError {
    const { stage } = this.#config;
    return new ReleaseError(
      `Another release of the stage ${stage} runs: ${describe(holder)}. Nothing was changed. Wait until it has ended. ` +
        `If it was killed: npm run ${command} -- --stage ${stage} --take-over. Without that, the stage is free from ${holder.expires_at} on.`,
    );
  }

  /**
   * Replaces the lock of a version. Of two that try at the same time, the first one gets the version that follows. The SDK
   * repeats a call whose answer was lost, so the first one may have a later version, too.
   */
  async #replace(version: number, own: Holder): Promise<void> {
    if ((await this.#put(own, true)) === version + 1) return;
    const first = await this.#read(version + 1);
    if (first?.holder.id === own.id) return;
    if (first) await this.#put(first.holder, true);
    throw new ReleaseError(
      `Another run took the stage ${this.#config.stage} over at the same time. Nothing was changed. Wait until it has ended.`,
    );
  }

  async #confirm(own: Holder): Promise<void> {
    const found = await this.#read();
    if (found?.holder.id === own.id) return;
    throw new ReleaseError(
      `Another run has taken the stage ${this.#config.stage} over${found ? `: ${describe(found.holder)}` : ''}. This one changes nothing more.`,
    );
  }

  /** Removes the own lock. A lock that stays expires, so a failure is only printed. */
  async #free(own: Holder, print: (line: string) => void): Promise<void> {
    try {
      const found = await this.#read();
      if (found?.holder.id !== own.id) return;
      await this.#ssm.send(new DeleteParameterCommand({ Name: this.#name }));
    } catch (error) {
      if (error instanceof ParameterNotFound) return;
      print(
        `The lock ${this.#name} could not be removed (${reasonOf(error)}). It expires at ${own.expires_at}; before, the next run needs --take-over.`,
      );
    }
  }

  async #read(version?: number): Promise<{ holder: Holder; version: number } | undefined> {
    try {
      const Name = version === undefined ? this.#name : `${this.#name}:${version}`;
      const { Parameter } = await this.#ssm.send(new GetParameterCommand({ Name }));
      return {
        holder: holderSchema.parse(JSON.parse(Parameter?.Value ?? '')),
        version: z.int().parse(Parameter?.Version),
      };
    } catch (error) {
      if (error instanceof ParameterNotFound || error instanceof ParameterVersionNotFound) return undefined;
      throw error;
    }
  }

  /** Writes the lock and returns its version. Returns undefined if there is one that must not be replaced. */
  async #put(holder: Holder, replaces: boolean): Promise<number | undefined> {
    try {
      const { Version } = await this.#ssm.send(
        new PutParameterCommand({
          Name: this.#name,
          Description: 'The release or roll-back that runs.',
          Type: 'String',
          Value: JSON.stringify(holder),
          Overwrite: replaces,
        }),
      );
      return z.int().parse(Version);
    } catch (error) {
      if (!replaces && error instanceof ParameterAlreadyExists) return undefined;
      throw error;
    }
  }
}
