/** Generated from conformance/session/target-file.schema.json by `npm run generate`. */

/**
 * @minItems 1
 */
export type Globs = string[];
export type HeaderName = string;

/**
 * Capabilities of a target, the secrets that the suite needs to use them, and what `docfeed check` is told each time. All properties are optional. Settings that an administrator can read from the configuration do not have to be repeated here.
 */
export interface TargetFile {
  /**
   * Options of `docfeed check`, by their names on the command line, which wins. Paths are relative to this file.
   */
  check?: {
    /**
     * the base URL of the target, or a list of those of the nodes of one cluster
     */
    url?: string | string[];
    /**
     * The environment variable that has name:password of the administrator. Without it, DOCFEED_ADMIN.
     */
    admin?: {
      env: string;
    };
    dialect?: 'service' | 'couchdb';
    'service-version'?: string;
    configure?: boolean;
    only?: Globs;
    skip?: Globs;
    profile?: 'smoke' | 'default' | 'thorough';
    seed?: number;
    /**
     * In seconds.
     */
    timeout?: number;
    'max-rate'?: number;
    baseline?: string;
    strict?: boolean;
    'report-dir'?: string;
  };
  /**
   * Keys whose tokens the target trusts.
   */
  'jwt-keys'?: {
    type: 'hmac' | 'rsa' | 'ec';
    /**
     * The name of the key after `<type>:` in `jwt_keys`. Default: `_default`, the key for tokens without kid.
     */
    kid?: string;
    /**
     * For hmac, the secret in base64 as in `jwt_keys`. For rsa and ec, the private key in PEM format.
     */
    key:
      | string
      | {
          /**
           * A path relative to this file.
           */
          file: string;
        }
      | {
          env: string;
        };
  }[];
  /**
   * The secret with which proxies create their tokens.
   */
  'proxy-secret'?:
    | string
    | {
        /**
         * A path relative to this file.
         */
        file: string;
      }
    | {
        env: string;
      };
  /**
   * Names of the request headers of proxies, if they differ from the default.
   */
  'proxy-headers'?: {
    'user-name'?: HeaderName;
    roles?: HeaderName;
    token?: HeaderName;
  };
  /**
   * Hash algorithms for proxy tokens, as in `hash_algorithms`.
   *
   * @minItems 1
   */
  'hash-algorithms'?: string[];
  /**
   * The value of `required_claims`, such as `exp, {iss, "issuer"}`. Empty if no claim is required.
   */
  'required-claims'?: string;
  /**
   * The value of `roles_claim_name`.
   */
  'roles-claim-name'?: string;
  /**
   * The value of `roles_claim_path`.
   */
  'roles-claim-path'?: string;
  /**
   * How databases are created, if not by `PUT /{db}` without a body.
   */
  databases?: {
    /**
     * The JSON body of `PUT /{db}`. $DOCFEED_DATABASE_NAME in its texts stands for the name of the database.
     */
    'create-body'?: {
      [k: string]: unknown;
    };
    /**
     * A command for a shell that creates an empty database and prints its URL in its last line. DOCFEED_DATABASE_NAME in its environment is the name to use. It runs in the folder of this file. If it ends with another exit status than 0, it has created nothing.
     */
    create?: string;
    /**
     * A command for a shell that removes the database of DOCFEED_DATABASE_NAME and DOCFEED_DATABASE_URL. The latter is empty if `create` has not printed a URL.
     */
    remove?: string;
  };
  /**
   * Capabilities that the target has (true) or lacks (false). These override what the suite detects.
   */
  capabilities?: {
    [k: string]: boolean;
  };
  /**
   * Capabilities that the target must have. A check that would be skipped for lack of one is blocked, so the run fails.
   */
  require?: string[];
}
