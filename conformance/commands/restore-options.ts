/** The parsed options of `docfeed restore`. */
export interface RestoreOptions {
  admin?: string;
  journal?: string;
  force?: boolean;
  discard?: boolean;
}
