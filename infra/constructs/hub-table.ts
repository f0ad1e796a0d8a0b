/** Reference to the table for other stacks. */
export interface HubTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly streamArn: string;
}
