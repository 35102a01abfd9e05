/** The program nginx as a gateway before a server. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { execa, execaSync } from 'execa';
import { emptyFolder } from '../../reports/testing/folder.js';
import { freePort } from '../../reports/testing/free-port.js';
import type { CertificateFiles } from './certificate.js';

export const hasNginx = !execaSync('nginx', ['-v'], { reject: false }).failed;

/** As the documentation of CouchDB says. */
export const asDocumented = `
  proxy_redirect off;
  proxy_buffering off;
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`;

/** What nginx passes on and how, as directives of its configuration. */
export interface NginxOptions {
  /** Of `http`. */
  readonly http?: string;
  /** Of `location`, beside `proxy_pass`. */
  readonly location?: string;
  /** Where the server is. Default: at the root. */
  readonly path?: string;
  readonly tls?: CertificateFiles;
}

/** Starts nginx before the server with this URL, until the end of the test. @returns its URL */
export async function behindNginx(
  t: Pick<ExecutionContext, 'teardown'>,
  url: string,
  { http = '', path = '/', location = '', tls }: NginxOptions = {},
): Promise<string> {
  const folder = await emptyFolder(t);
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const name of temporary) await mkdir(join(folder, name));
  const file = join(folder, 'nginx.conf');
  const secured = tls ? `ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key};` : '';
  await writeFile(
    file,
    `pid ${folder}/pid;
    error_log stderr;
    daemon off;
    master_process off;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${http}
      server {
        listen 127.0.0.1:${port}${tls ? ' ssl' : ''};
        ${secured}
        location ${path} { ${passTo(url, path)} ${location} }
      }
    }`,
  );
  const nginx = execa('nginx', ['-p', folder, '-c', file], { reject: false });
  t.teardown(async () => {
    nginx.kill('SIGTERM');
    await nginx;
  });
  while (!(await isListening(port))) {
    if (nginx.exitCode !== null) throw new Error((await nginx).stderr);
  }
  return tls ? `https://localhost:${port}${path}` : `http://127.0.0.1:${port}${path}`;
}

/** As the documentation of CouchDB says: with a path in `proxy_pass`, nginx would decode `%2F` and more. */
const passTo = (url: string, path: string): string =>
  path === '/'
    ? `proxy_pass ${url};`
    : `rewrite ^ $request_uri; rewrite ^${path}(.*) /$1 break; proxy_pass ${url}$uri;`;

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
