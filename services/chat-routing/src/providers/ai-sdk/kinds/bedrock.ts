import { GatewayError } from '@parley/protos/errors';
import { DEFAULT_CALL_TIMEOUT_MS, type HttpPools } from '../../http-pools.ts';
import { type UpstreamConnection } from '../../upstream-connection.ts';
import { type Fetch, type SdkProvider } from '../sdk-provider.ts';
import { verifyCredentials } from '../verify-credentials.ts';

const REGION = /^[a-z]{2,5}(-[a-z]+)+-\d{1,2}$/;
const ACCESS_KEY = /^[A-Z0-9]{16,128}$/;
/** Maximum size of a document (https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html). */
const MAX_FILE_BYTES = 4.5 * 1024 * 1024;

/**
 * Amazon Bedrock's Converse API (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html). The account is
 * the region; the secret is `<access key id>:<secret access key>`, with `:<session token>` for temporary credentials, or a Bedrock API key.
 * The operator names its models: AWS has no list of those that an account may use.
 */
export function bedrock(pools: HttpPools): SdkProvider {
  const loadModel = async (connection: UpstreamConnection, model: string, fetch: Fetch) => {
    const credentials = toCredentials(connection);
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    return createAmazonBedrock({ ...credentials, baseURL: connection.baseUrl, fetch })(model);
  };
  return {
    name: 'bedrock',
    family: 'amazon',
    baseUrl: (account) => `https://bedrock-runtime.${toRegion(account)}.amazonaws.com${account.startsWith('cn-') ? '.cn' : ''}`,
    reads: ['image/', 'application/pdf'],
    maxFileBytes: MAX_FILE_BYTES,
    takesImageUrls: false,
    loadModel,
    listModels: async (connection) => {
      await verifyCredentials(pools, connection, (fetch) => loadModel(connection, NO_MODEL, fetch), {
        acceptanceMs: DEFAULT_CALL_TIMEOUT_MS,
        silenceMs: DEFAULT_CALL_TIMEOUT_MS,
      });
      return [];
    },
  };
}

/** A model that does not exist: AWS checks the signature before the model, so a request to it verifies the credentials for free. */
const NO_MODEL = 'parley.connection-test-v1:0';

/** Parses the region and the credentials of a connection. Throws VALIDATION_ERROR. */
function toCredentials({ account, secret }: UpstreamConnection) {
  const region = toRegion(account);
  const [accessKeyId = '', secretAccessKey, sessionToken, ...rest] = secret.split(':');
  if (secretAccessKey === undefined && secret !== '') return { region, apiKey: secret };
  if (rest.length > 0 || !secretAccessKey || !ACCESS_KEY.test(accessKeyId))
    throw new GatewayError(
      'VALIDATION_ERROR',
      'api_key must be <access key id>:<secret access key>, with :<session token> where there is one, or an API key of Bedrock',
      { param: 'api_key' },
    );
  // An empty key prevents the SDK from reading one from the environment.
  return { region, accessKeyId, secretAccessKey, sessionToken, apiKey: '' };
}

function toRegion(account: string): string {
  if (!REGION.test(account))
    throw new GatewayError('VALIDATION_ERROR', 'account must be the AWS region, such as eu-central-1', { param: 'account' });
  return account;
}
