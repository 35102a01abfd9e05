/** `openapi/generated/dialects.ts`: the words in which the dialects differ. */
import type { Descriptions } from './bundle.js';
import { InvalidInput } from './errors.js';
import { render } from './templates.js';

/** The source of the module, not yet formatted. */
export function dialectsModule(descriptions: Descriptions): string {
  const names = Object.fromEntries(
    Object.entries(descriptions).map(([dialect, description]) => [dialect, description['x-names']]),
  );
  for (const [dialect, words] of Object.entries(names)) {
    if (words.dialect !== dialect) {
      throw new InvalidInput(`x-names of the dialect ${dialect} calls itself ${words.dialect}`);
    }
  }
  return render('dialects', {
    dialects: Object.keys(names)
      .map((name) => JSON.stringify(name))
      .join(' | '),
    words: Object.keys(descriptions.service['x-names']).filter((word) => word !== 'dialect'),
    names: JSON.stringify(names),
  });
}
