/** A reference server for one test, with helpers for HTTP requests. */
import type { ExecutionContext } from 'ava';
import type { Dispatcher } from 'undici';
import { startServer, type Administrator, type RunningServer, type ServerOptions } from '../index.js';
import { basic, openAt, sendTo, type Message, type Reply } from '../../reports/testing/request.js';

export { basic, type Message, type Reply };

export const admin = { name: 'admin', password: 'secret' };

export type LogLine = Readonly<Record<string, unknown>>;

export interface TestServer extends RunningServer {
  readonly admin: Administrator;
  readonly send: (method: string, path: string, message?: Message) => Promise<Reply>;
  /** Opens a response, whose body may be left unread: it ends with the test. */
  readonly open: (method: string, path: string, message?: Message) => Promise<Dispatcher.ResponseData>;
  /** Sends a request as the administrator. */
  readonly asAdmin: (method: string, path: string, body?: unknown) => Promise<Reply>;
  /** Changes a setting, whose place is `section/key`. @returns the status of the response */
  readonly set: (place: string, value: string) => Promise<number>;
  /** Lines of the log, including those of requests. */
  readonly logged: readonly LogLine[];
  /** Log lines with the level `error`. */
  readonly reports: readonly LogLine[];
}

/** Starts a server and stops it at the end of the test. It uses one PBKDF2 iteration to be fast. */
export async function testServer(
  t: Pick<ExecutionContext, 'teardown'>,
  options: ServerOptions = {},
): Promise<TestServer> {
  const logged: LogLine[] = [];
  const reports: LogLine[] = [];
  const write = (text: string) => {
    const line = JSON.parse(text) as LogLine;
    logged.push(line);
    if (line.level === 'error') reports.push(line);
  };
  const server = await startServer({
    admin,
    log: { level: 'info', to: { write } },
    ...options,
    config: { ...options.config, chttpd_auth: { iterations: '1', ...options.config?.chttpd_auth } },
  });
  t.teardown(() => server.stop());
  const send = (method: string, path: string, message: Message = {}) =>
    sendTo(server.url, method, path, message);
  const open = async (method: string, path: string, message: Message = {}) => {
    const response = await openAt(server.url, method, path, message);
    // It is an error to destroy a body that is not whole.
    response.body.on('error', () => {});
    t.teardown(() => response.body.destroy());
    return response;
  };
  const asAdmin = (method: string, path: string, body?: unknown) =>
    send(method, path, { headers: basic(admin.name, admin.password), body });
  const set = async (place: string, value: string) =>
    (await asAdmin('PUT', `/_node/_local/_config/${place}`, JSON.stringify(value))).status;
  return { ...server, admin: server.admin ?? admin, send, open, asAdmin, set, logged, reports };
}

/** @returns the user of a request with these headers; undefined if it is rejected */
export async function userOf({ send }: TestServer, headers: Message['headers']): Promise<unknown> {
  const { json } = await send('GET', '/_session', { headers });
  return (json as { userCtx?: unknown }).userCtx;
}

/** Creates users, whose passwords are their names. */
export async function createUsers(
  { asAdmin }: TestServer,
  roles: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [name, own] of Object.entries(roles)) {
    const user = { name, password: name, roles: own, type: 'user' };
    const { status, text } = await asAdmin('PUT', `/_users/org.service.user:${name}`, user);
    if (status !== 201) throw new Error(text);
  }
}
