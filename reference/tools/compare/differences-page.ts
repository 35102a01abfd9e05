import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';

/** The file with the page about the known differences. */
export const page = fileURLToPath(new URL('../../DIFFERENCES.md', import.meta.url));

/** Markdown as it is kept in the project. */
export async function formatPage(markdown: string): Promise<string> {
  return prettier.format(markdown, { ...(await prettier.resolveConfig(page)), filepath: page });
}
