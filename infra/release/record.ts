import {
  GetParameterCommand,
  ParameterNotFound,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import * as z from 'zod';
import { type EdgeState, edgeParameter, releaseParameter, versionsParameter } from '../names.ts';
import type { HubConfig } from '../stage.ts';

const edgeStateSchema: z.ZodType<EdgeState> = z.enum(['leads', 'left']);

const versionsSchema = z.record(z.string(), z.string());

const recordSchema = z.object({
  /** `releasing` and `rolling_back` stay if the command was interrupted. */
  state: z.enum(['releasing', 'released', 'rolling_back', 'rolled_back']),
  at: z.string(),
  /** Commit that was released, and the one before. Missing outside of a git repository. */
  commit: z.string().optional(),
  previous: z.string().optional(),
  /** Versions of the functions before the release. */
  versions: versionsSchema,
});

/** Latest release of a stage. */
export type ReleaseRecord = Readonly<z.output<typeof recordSchema>>;

/** Parameters of a stage that tell of its releases. */
export class ReleaseParameters {
  readonly #ssm: SSMClient;
  readonly #config: Pick<HubConfig, 'stage'>;

  constructor(ssm: SSMClient, config: Pick<HubConfig, 'stage'>) {
    this.#ssm = ssm;
    this.#config = config;
  }

  /** Returns the record of the latest release, or undefined if there was none. */
  async read(): Promise<ReleaseRecord | undefined> {
    const text = await this.#get(releaseParameter(this.#config));
    return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
  }

  async write(record: ReleaseRecord): Promise<void> {
    await this.#ssm.send(
      new PutParameterCommand({
        Name: releaseParameter(this.#config),
        Description:
          'Versions of functions before the latest release. npm run roll-back points back to them.',
        Type: 'String',
        Value: JSON.stringify(record),
        Overwrite: true,
      }),
    );
  }

  /** Returns the versions that CloudFormation knows. */
  async known(): Promise<Map<string, string>> {
    const texts = await Promise.all(
      (['api', 'events'] as const).map((stack) => this.#get(versionsParameter(this.#config, stack))),
    );
    return new Map(
      texts.flatMap((text) =>
        text === undefined ? [] : Object.entries(versionsSchema.parse(JSON.parse(text))),
      ),
    );
  }

  /** Returns whether the name of the service leads to a distribution. Undefined if the deployed version records nothing. */
  async edge(): Promise<EdgeState | undefined> {
    const text = await this.#get(edgeParameter(this.#config));
    return text === undefined ? undefined : edgeStateSchema.parse(text);
  }

  async #get(Name: string): Promise<string | undefined> {
    try {
      const { Parameter } = await this.#ssm.send(new GetParameterCommand({ Name }));
      return Parameter?.Value;
    } catch (error) {
      if (error instanceof ParameterNotFound) return undefined;
      throw error;
    }
  }
}
