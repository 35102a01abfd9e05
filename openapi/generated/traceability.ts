/** Generated from openapi/rules/traceability.schema.json by `npm run generate`. */

/**
 * Every normative statement of the service document in its order, with the rules that check it, or the reason why none does, or both if the rules check a part of it only.
 *
 * @minItems 1
 */
export type Traceability = Statement[];

export interface Statement {
  /**
   * The section, a hyphen, and the table row, list item or keyword of the statement in that section.
   */
  id: string;
  /**
   * The statement in brief.
   */
  text: string;
  /**
   * Ids of the rules that check the statement.
   *
   * @minItems 1
   */
  rules?: string[];
  /**
   * Why no rule checks the statement; together with rules, what of it they do not check, and why.
   */
  reason?: string;
}
