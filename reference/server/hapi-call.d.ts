/** The part of hapi's router that this server uses. The package has no types. */
declare module '@hapi/call' {
  export class Router<Route> {
    add(config: { readonly method: string; readonly path: string }, route: Route): void;
    /** Decodes what need not be encoded. */
    normalize(path: string): string;
    /** Returns a Boom error, which has no `route`, if no path matches. */
    route(
      method: string,
      path: string,
    ):
      | { readonly route: Route; readonly params: Readonly<Record<string, string | undefined>> }
      | { readonly route?: undefined; readonly params?: undefined };
  }
}
