/** The data folder cannot be used. The message is one line with the problem, the file, and a remedy. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  /** The message without the remedy. */
  readonly problem: string;

  constructor(problem: string, remedy?: string, options?: ErrorOptions) {
    super(remedy === undefined ? problem : `${problem}; ${remedy}`, options);
    this.problem = problem;
  }
}

/** A file does not have the content that the server wrote. */
export const damaged = (file: string, offset: number, what: string) =>
  new DataFolderError(
    `${file} is damaged at byte ${offset}: ${what}`,
    'nothing was changed; restore the folder from a copy, or copy what is undamaged with --salvage',
  );

export const missing = (file: string, folder: string) =>
  new DataFolderError(
    `${file} is missing`,
    `restore it or all of ${folder} from a copy, or copy what is undamaged with --salvage`,
  );

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

/** Describes an error of the file system as a problem of the folder. Returns other errors unchanged. */
export function unusable(path: string, error: unknown): unknown {
  if (error instanceof DataFolderError || (error as NodeJS.ErrnoException).code === undefined) return error;
  return new DataFolderError(`cannot use the data folder ${path}: ${describeError(error)}`, undefined, {
    cause: error,
  });
}
