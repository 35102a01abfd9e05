import type { Description, ParameterObject } from './description.js';

/**
 * Gives each parameter whose value is JSON the type of a text, in place: a generated client would send an array as
 * several values, and not as JSON.
 */
export function makeJsonParametersTexts({ components }: Description): void {
  for (const parameter of Object.values(components.parameters!) as ParameterObject[]) {
    const json = parameter.content?.['application/json'];
    if (!json) continue;
    delete parameter.content;
    Object.assign(parameter, { schema: { type: 'string' }, example: JSON.stringify(json.example) });
  }
}
