import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { awsClient } from '../aws-client.ts';

let client: SNSClient | undefined;

/**
 * Sends a text message with SNS.
 *
 * @param to phone number in E.164.
 * @throws Error of the SDK.
 */
export const sendSms = async (to: string, text: string): Promise<void> => {
  client ??= awsClient(SNSClient, 'sms');
  await client.send(
    new PublishCommand({
      PhoneNumber: to,
      Message: text,
      MessageAttributes: { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } },
    }),
  );
};
