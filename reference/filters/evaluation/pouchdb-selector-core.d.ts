/** Types of the function of pouchdb-selector-core that the server uses. */
declare module 'pouchdb-selector-core' {
  /**
   * Whether a document meets the conditions of a selector on these of its fields. Each condition is an object of
   * operators; the arguments of `$ne` and `$regex` stand in an array.
   */
  export function rowFilter(
    document: Record<string, unknown>,
    selector: Record<string, Record<string, unknown>>,
    fields: string[],
  ): boolean;
}
