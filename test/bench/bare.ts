import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

const client = new DynamoDBClient({});

/** The smallest Lambda function over DynamoDB, a yardstick for the functions of the service. */
export const handler = async ({ queryStringParameters }: APIGatewayProxyEventV2) => {
  const Key = { pk: { S: `USER#${queryStringParameters?.user_id}` }, sk: { S: 'USER' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: process.env.HUB_TABLE, Key }));
  return { statusCode: 200, body: JSON.stringify(Item ?? null) };
};
