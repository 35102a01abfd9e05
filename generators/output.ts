/** Formats, compares, writes and removes generated files. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as prettier from 'prettier';

/** File contents by path relative to the root of the project. */
export type Files = Record<string, string>;

/** Formats each file according to its extension. */
export async function format(files: Files, root: string): Promise<Files> {
  const entries = Object.entries(files).map(async ([path, content]) => {
    const filepath = join(root, path);
    const options = await prettier.resolveConfig(filepath);
    return [path, await prettier.format(content, { ...options, filepath })] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Paths of the files that are missing on disk or differ. */
export async function findChanged(files: Files, root: string): Promise<string[]> {
  const paths = await Promise.all(
    Object.entries(files).map(async ([path, content]) => {
      const current = await readFile(join(root, path), 'utf8').catch(() => undefined);
      return current === content ? [] : [path];
    }),
  );
  return paths.flat();
}

/** Paths of the files in the folders that are not in `paths`. */
export async function findStale(folders: string[], paths: string[], root: string): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []),
    ),
  );
  return found
    .flat()
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => !paths.includes(path));
}

export async function write(files: Files, paths: string[], root: string): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), files[path]!);
  }
}

export async function remove(paths: string[], root: string): Promise<void> {
  for (const path of paths) await rm(join(root, path));
}
