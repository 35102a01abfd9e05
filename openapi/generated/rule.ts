/** Generated from openapi/rules/rule.schema.json by `npm run generate`. */

export type Capability =
  | 'admin'
  | 'functions'
  | 'attachments'
  | 'bulk-docs'
  | 'new-edits'
  | 'conflicts'
  | 'conflict-edits'
  | 'recreation'
  | 'deleted-bodies'
  | 'design-documents'
  | 'bulk-design-documents'
  | 'bulk-revisions'
  | 'unusual-ids'
  | 'exact-numbers'
  | 'config-read'
  | 'config-write'
  | 'users'
  | 'proxy'
  | 'proxy-secret'
  | 'jwt-hmac'
  | 'jwt-rsa'
  | 'jwt-ec'
  | 'jwt-required-claims'
  | 'totp'
  | 'total-order'
  | 'single-copy'
  | 'cluster';
/**
 * A file of the rule catalogue: a list of rules, in the order in which they are presented.
 *
 * @minItems 1
 */
export type Rules = Rule[];

export interface Rule {
  /**
   * Permanent name of the rule. Never change or reuse an id: baselines, reports and links refer to it.
   */
  id: string;
  /**
   * MUST: the service document requires it, and a violation is a failure. SHOULD: the service document recommends it, and a violation is a warning.
   */
  level: 'MUST' | 'SHOULD';
  /**
   * The rule applies from this version of the service (SERVICE 9). A target that declares an older version skips it. Default: every version.
   */
  since?: string;
  /**
   * Capabilities that a target must have for every check of the rule; a check may need more. Default: none.
   *
   * @minItems 1
   */
  needs?: Capability[];
  /**
   * operationIds of the operations that the rule is about. Default: every operation.
   *
   * @minItems 1
   */
  operations?: string[];
  /**
   * Parameters, headers, security schemes and schemas that the rule is about, as JSON Pointers relative to `#/components/` of the bundled description. A rule that names a required property reports its absence, which `response-schema` then leaves to it. Default: none.
   *
   * @minItems 1
   */
  components?: string[];
  /**
   * The statements of the service document that the rule checks, in its order. An id is the section, a hyphen, and the table row, list item or keyword in that section.
   *
   * @minItems 1
   */
  statements: string[];
  /**
   * What must hold, and what the server may choose, in one to three sentences.
   */
  statement: string;
}
