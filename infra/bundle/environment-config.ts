/**
 * Stands in for the SDK's reader of `~/.aws/config` and `~/.aws/credentials`: there are none on Lambda,
 * and on a developer's machine they must not change what the same bundle does. What the environment
 * says (`AWS_REGION`, `AWS_ENDPOINT_URL_<SERVICE>`) is read elsewhere and holds.
 */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
