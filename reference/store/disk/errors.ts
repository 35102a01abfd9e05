/** A data directory that cannot be used: the message is one line that says what is wrong where, and what to do. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

const advice = 'nothing was changed; put back a copy of the directory, or name another one';

/** What is written is not what was written once. */
export const damaged = (file: string, offset: number, what: string) =>
  new DataDirectoryError(`${file} is damaged at byte ${offset}: ${what}; ${advice}`);

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'that takes more rights',
  EPERM: 'that takes more rights',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'it is, or lies under, a file',
  ENOENT: 'nothing can be made there',
  EFBIG: 'a file would be larger than is allowed',
  EIO: 'the disk reports an error',
};

/** An error of the file system, for a reader who does not know its codes. */
export function describeError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
