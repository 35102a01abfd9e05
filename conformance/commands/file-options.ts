/** Takes options of `docfeed check` from the target file, so that nobody has to type them each time. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readCheckOptions } from '../session/target-file.js';
import { defaultTargetFile } from './command-line.js';

/** The target file of a run: that of `--target`, or else the one in the current folder, if there is one. */
export const targetFileOf = ({ target }: { readonly target?: string | undefined }): string | undefined =>
  target ?? (existsSync(defaultTargetFile) ? defaultTargetFile : undefined);

/**
 * Adds to the options of the command those of the target file. The command line and the environment win.
 *
 * @param urls those of the command line
 * @param excluded options that do not go with the others
 * @returns the URLs of the target
 */
export async function takeOptionsFromFile(
  command: Command,
  urls: readonly string[],
  excluded: readonly string[],
): Promise<readonly string[]> {
  const file = targetFileOf(command.opts());
  if (file === undefined) return urls;
  const attributeOf = (name: string): string =>
    command.options.find((option) => option.name() === name)!.attributeName();
  const inFile = await readCheckOptions(file, (name) => {
    const source = command.getOptionValueSource(attributeOf(name)) ?? 'default';
    return source !== 'default' || excluded.includes(attributeOf(name));
  });
  for (const [name, value] of Object.entries(inFile.options))
    command.setOptionValueWithSource(attributeOf(name), value, 'config');
  return urls.length > 0 ? urls : inFile.urls;
}
