import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { awsClient } from '../aws-client.ts';

let client: SNSClient | undefined;

/** Hands a text message to SNS. Throws the SDK's errors. @param to a phone number in E.164. */
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
