import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';

/** Path of DIFFERENCES.md. */
export const pageFile = fileURLToPath(new URL('../../DIFFERENCES.md', import.meta.url));

/** Formats Markdown with the settings of the project. */
export async function formatPage(markdown: string): Promise<string> {
  return prettier.format(markdown, { ...(await prettier.resolveConfig(pageFile)), filepath: pageFile });
}
