/** Names what a target responded, without generated names: the same response to the same kind of request is one cause. */

/** @returns such as `POST /{db}/_changes`. The path may have the prefix of a base URL and a query. */
export function operationName(method: string, path: string): string {
  const [pathname = ''] = path.split('?');
  const place = pathname
    .replace(/^.*?(?=\/docfeed-)/, '')
    .replace(/^\/docfeed-[^/]+/, '/{db}')
    .replace(/^.*(?=\/_users\/)/, '')
    .replace(/^.*(?=\/_session$)/, '')
    .replace(/(?<=^\/_users\/|^\/\{db\}\/(?:_local\/|_design\/)?)[^_/{][^/]*/, '{id}');
  return `${method} ${place}`;
}

/** @returns such as `POST /{db}/_changes returns 404`. */
export function describeResponse({
  method = 'GET',
  path,
  status,
}: {
  method?: string | undefined;
  path: string;
  status: number;
}): string {
  return `${operationName(method, path)} returns ${status}`;
}
