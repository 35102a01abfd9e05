/** Replaces components of the server: functions, handlers of operations, and authentication handlers. */
import type { RuleId } from '../../../openapi/generated/rules.js';
import type { Context, Components, Fault } from '../../../reference/index.js';

export type Replace = (components: Components) => Components;

/** A fault, with what is known of those who do not find it. */
export interface RuleFault extends Fault {
  /** Why a passer-by misses it in ordinary traffic, although it judges the rule: one sentence. */
  readonly notInTraffic?: string;
  /**
   * The shipped baselines of servers that are known to do the same, in more cases, so that no entry can tell the fault from
   * what they do.
   */
  readonly knownIn?: readonly string[];
  /** The areas of rules without whose features nobody sees it: it shows only in some modes, or with a filter. */
  readonly onlyIn?: readonly ('modes' | 'filters')[];
}

/** @param rules for each rule, the faults that break it by their ids */
export const faultsOf = (rules: {
  readonly [rule in RuleId]?: Readonly<Record<string, Omit<RuleFault, 'id' | 'rule'>>>;
}): readonly RuleFault[] =>
  Object.entries(rules).flatMap(([rule, faults]) =>
    Object.entries(faults).map(([id, fault]) => ({ id, rule, ...fault })),
  );

type FunctionName = {
  [Name in keyof Components]: Components[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Components];
type Handlers = Components['handlers'];
type Request<Operation extends keyof Handlers> = Parameters<Handlers[Operation]>[0];
type Authenticator = NonNullable<Components['authenticators'][string]>;
type ErrorBody = ReturnType<Components['errorBody']>;
type Identity = NonNullable<Awaited<ReturnType<Authenticator>>>;

/** A fault may respond with what the description forbids, so a response has no type of its operation. */
export interface HandlerResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const combine =
  (...replacements: readonly Replace[]): Replace =>
  (components) =>
    replacements.reduce((replaced, replace) => replace(replaced), components);

/** For faults that remember something: each server starts without memory. */
export const perServer =
  (create: () => Replace): Replace =>
  (components) =>
    create()(components);

/** @param faulty gets the original function, then the arguments of the call */
export const replaceFunction =
  <Name extends FunctionName>(
    name: Name,
    faulty: (
      original: Components[Name],
      ...args: Parameters<Components[Name]>
    ) => ReturnType<Components[Name]>,
  ): Replace =>
  (components) => ({
    ...components,
    [name]: (...args: Parameters<Components[Name]>) => faulty(components[name], ...args),
  });

export const replaceHandler =
  <Operation extends keyof Handlers>(
    operation: Operation,
    faulty: (
      original: (request: Request<Operation>, context: Context) => Promise<HandlerResponse>,
      request: Request<Operation>,
      context: Context,
    ) => Promise<HandlerResponse>,
  ): Replace =>
  (components) => {
    const original = components.handlers[operation] as unknown as Parameters<typeof faulty>[0];
    const handler = (request: Request<Operation>, context: Context) => faulty(original, request, context);
    return { ...components, handlers: { ...components.handlers, [operation]: handler } };
  };

/** Changes successful responses of an operation. */
export const changeResponse = (
  operation: keyof Handlers,
  change: (response: HandlerResponse, context: Context) => HandlerResponse,
): Replace =>
  replaceHandler(operation, async (original, request, context) =>
    change(await original(request, context), context),
  );

/** Changes the JSON object in successful responses of an operation. */
export const changeBody = (
  operation: keyof Handlers,
  change: (body: JsonObject, context: Context) => object,
): Replace =>
  changeResponse(operation, (response, context) => ({
    ...response,
    body: change(response.body as JsonObject, context),
  }));

type AuthenticatorName = 'cookie' | 'proxy' | 'jwt' | 'default';

export const replaceAuthenticator =
  (
    name: AuthenticatorName,
    faulty: (original: Authenticator, ...request: Parameters<Authenticator>) => ReturnType<Authenticator>,
  ): Replace =>
  (components) => {
    const original = components.authenticators[name];
    if (!original) throw new Error(`The server has no authentication handler "${name}".`);
    const authenticator: Authenticator = (...request) => faulty(original, ...request);
    return { ...components, authenticators: { ...components.authenticators, [name]: authenticator } };
  };

/** Changes the headers of the request that an authentication handler reads. */
export const changeHeaders = (
  name: AuthenticatorName,
  change: (headers: Parameters<Authenticator>[0], authentication: Parameters<Authenticator>[1]) => object,
): Replace =>
  replaceAuthenticator(name, (original, headers, authentication) =>
    original({ ...headers, ...change(headers, authentication) }, authentication),
  );

/** Changes the identities that an authentication handler returns. */
export const changeIdentity = (name: AuthenticatorName, change: (identity: Identity) => Identity): Replace =>
  replaceAuthenticator(name, async (original, ...request) => {
    const identity = await original(...request);
    return identity && change(identity);
  });

/** Changes members of the users whom an authentication handler returns. */
export const changeUser = (
  name: AuthenticatorName,
  change: (user: Identity['user']) => Partial<Identity['user']>,
): Replace =>
  changeIdentity(name, (identity) => ({ ...identity, user: { ...identity.user, ...change(identity.user) } }));

/** Changes members of the bodies of errors; an empty object changes nothing. */
export const changeError = (change: (body: ErrorBody) => object): Replace =>
  replaceFunction('errorBody', (original, ...request) => {
    const body = original(...request);
    return { ...body, ...change(body) };
  });

/** The value of the session cookie in a `Cookie` or `Set-Cookie` header. */
export function cookieValue(header: string | undefined): string | undefined {
  return /(?:^|;\s*)AuthSession=([^;]*)/.exec(header ?? '')?.[1];
}
