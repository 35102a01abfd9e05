/** Where the databases of a target are: below its base URL, unless it redirects, or somebody says otherwise. */
import type { OpenExchange, TargetRequest } from './client.js';
import type { SentRequest } from './exchange.js';

/** Where a database is. */
export interface Place {
  readonly url: URL;
  readonly translation?: Translation;
}

/** Changes what is sent to a database, and what is read of its responses. */
export interface Translation {
  /** What is sent instead. May throw what ends a check. */
  request(request: TargetRequest): TargetRequest;
  /** @returns what replaces one piece of the body of a response after the other, until its end */
  response(): (bytes: Uint8Array, isEnd?: boolean) => Uint8Array;
}

/** Statuses of redirects after which a client sends the same request again (RFC 9110, section 15.4). */
const redirects: readonly number[] = [301, 307, 308];

/** The path of a database, and what follows it: `/db/_changes?since=now`. */
const databasePath = /^\/(?<name>[^/?_][^/?]*)(?<rest>.*)$/s;

export class Places {
  readonly #places = new Map<string, Place>();
  /** Methods of requests for a database itself that the target wants at its path with a slash. */
  readonly #withSlash = new Set<string>();

  /** @param name of the database in the paths of requests, such as `docfeed-1` */
  set(name: string, place: Place): void {
    this.#places.set(name, place);
  }

  translationOf({ path }: TargetRequest): Translation | undefined {
    return this.#places.get(partsOf(path).name ?? '')?.translation;
  }

  /** Adds where the request goes, if that is not below the base URL as its path says. */
  address(sent: SentRequest, base: URL): SentRequest {
    const { name = '', rest = '' } = partsOf(sent.path);
    const place = this.#places.get(name);
    const isDatabase = name !== '' && !rest.startsWith('/');
    if (place) {
      const { origin, pathname } = place.url;
      const path = (isDatabase ? pathname : pathname.replace(/\/$/, '')) + rest;
      return { ...sent, address: { origin, path } };
    }
    if (!isDatabase || !this.#withSlash.has(sent.method)) return sent;
    return { ...sent, address: { origin: base.origin, path: `${sent.prefix}/${name}/${rest}` } };
  }

  /**
   * Remembers that the target redirects requests for a database to its path with a slash.
   *
   * @returns whether it does
   */
  learn({ method = 'GET', path }: TargetRequest, { status, headers }: OpenExchange): boolean {
    const [location = ''] = headers.get('location') ?? [];
    const { name, rest } = partsOf(path);
    if (name === undefined || rest !== '') return false;
    if (!redirects.includes(status) || !location.split('?')[0]!.endsWith(`/${name}/`)) return false;
    this.#withSlash.add(method);
    return true;
  }
}

const partsOf = (path: string): { name?: string; rest?: string } => databasePath.exec(path)?.groups ?? {};
