import { join } from 'node:path';
import { execa } from 'execa';

/**
 * Packs the project as it was built last. A build would change the files that other tests pack or run at the same time.
 *
 * @returns the path of the package
 */
export async function packInto(folder: string): Promise<string> {
  const { stdout } = await execa('npm', [
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  return join(folder, stdout.trim());
}
