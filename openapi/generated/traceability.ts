/** Generated from openapi/rules/traceability.schema.json by `npm run generate`. */

/**
 * The normative statements of the service document, in its order, that no rule checks, or that rules check in part, with the reason.
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
   * Why no rule checks the statement; of one that rules name, what of it they do not check, and why.
   */
  reason: string;
}
