/** Generates `openapi/generated/dialects.ts`: the names that differ between dialects. */
import type { Descriptions } from './bundle.js';
import { InvalidInput } from './errors.js';
import { render } from './templates.js';

/** The source of the module, not yet formatted. */
export function dialectsModule(descriptions: Descriptions): string {
  const names = Object.fromEntries(
    Object.entries(descriptions).map(([dialect, description]) => [dialect, description['x-names']]),
  );
  for (const [dialect, dialectNames] of Object.entries(names)) {
    if (dialectNames.dialect !== dialect) {
      throw new InvalidInput(`x-names of the dialect ${dialect} has the dialect ${dialectNames.dialect}`);
    }
  }
  return render('dialects', {
    dialects: Object.keys(names)
      .map((name) => JSON.stringify(name))
      .join(' | '),
    keys: Object.keys(descriptions.service['x-names']).filter((key) => key !== 'dialect'),
    names: JSON.stringify(names),
  });
}
