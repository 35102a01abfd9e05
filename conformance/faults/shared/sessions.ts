/** Ways to change responses of the session resource. */
import { answering, bodyOf, type Context, type Replace } from './components.js';

export const isAdmin = ({ user }: Context): boolean => user.roles.includes('_admin');

/** The member of a session that holds facts about authentication. */
export const infoOf = (body: Record<string, unknown>): Record<string, unknown> =>
  body['info'] as Record<string, unknown>;

export const isBy = (handler: string, { user }: Context): boolean => user.authenticatedBy === handler;

/** Answers sessions of one handler in another way. */
export const session = (handler: string, info: object): Replace =>
  answering('getSession', (answer, context) => {
    const body = bodyOf(answer);
    if (!isBy(handler, context)) return answer;
    return { ...answer, body: { ...body, info: { ...(body['info'] as object), ...info } } };
  });

/** Knows a user of that handler only after a session request. */
export const feedRefusedTo = (handler: string): Replace =>
  answering('getChanges', (answer, context) =>
    isBy(handler, context) ? { status: 403, body: { error: 'forbidden', reason: 'No session.' } } : answer,
  );
