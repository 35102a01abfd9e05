import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';

/** The file with the pageFile about the expected differences. */
export const pageFile = fileURLToPath(new URL('../../DIFFERENCES.md', import.meta.url));

/** Markdown as it is kept in the project. */
export async function formatPage(markdown: string): Promise<string> {
  return prettier.format(markdown, { ...(await prettier.resolveConfig(pageFile)), filepath: pageFile });
}
