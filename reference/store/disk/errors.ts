/** The data directory cannot be used. The message is one line with the problem, the file, and a remedy. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

const advice = 'nothing was changed; restore the directory from a copy or use another one';

/** A file does not have the content that the server wrote. */
export const damaged = (file: string, offset: number, what: string) =>
  new DataDirectoryError(`${file} is damaged at byte ${offset}: ${what}; ${advice}`);

const descriptions: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'the path does not exist',
  EFBIG: 'the file would be too large',
  EIO: 'the disk reported an error',
};

/** Describes a file system error without its code. */
export function describeError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return descriptions[code] ?? message;
}
