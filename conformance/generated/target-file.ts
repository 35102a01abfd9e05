/** Generated from conformance/target/target-file.schema.json by `npm run generate`. */

export type HeaderName = string;

/**
 * What a target offers, and the secrets that the suite needs to use it. All of it is optional: what an administrator may read of the configuration need not be repeated here.
 */
export interface TargetFile {
  /**
   * Keys that sign tokens which the target trusts.
   */
  'jwt-keys'?: {
    type: 'hmac' | 'rsa' | 'ec';
    /**
     * The key's name after `<type>:` in `jwt_keys`. Absent: `_default`, the key of tokens without kid.
     */
    kid?: string;
    /**
     * For hmac the secret in base64, as in `jwt_keys`; for rsa and ec the private key in PEM.
     */
    key:
      | string
      | {
          /**
           * Relative to this file.
           */
          file: string;
        }
      | {
          env: string;
        };
  }[];
  /**
   * The secret that the tokens of a proxy are made with.
   */
  'proxy-secret'?:
    | string
    | {
        /**
         * Relative to this file.
         */
        file: string;
      }
    | {
        env: string;
      };
  /**
   * The headers of a proxy, where they have other names than usual.
   */
  'proxy-headers'?: {
    'user-name'?: HeaderName;
    roles?: HeaderName;
    token?: HeaderName;
  };
  /**
   * The algorithms of the tokens of a proxy, as in `hash_algorithms`.
   *
   * @minItems 1
   */
  'hash-algorithms'?: string[];
  /**
   * The value of `required_claims`, such as `exp, {iss, "issuer"}`; empty when no claim is required.
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
   * What the target offers (true) or lacks (false), where the suite cannot know or is wrong.
   */
  capabilities?: {
    [k: string]: boolean;
  };
}
