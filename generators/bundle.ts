/** Reads the description and makes one self-contained, valid document of it for each dialect. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { bundle, createConfig } from '@redocly/openapi-core';
import { openapiOverlay, type OpenAPIOverlayOptions } from 'openapi-format';
import { parse } from 'yaml';
import type { Description } from './description.js';
import { InvalidInput, reasonOf } from './errors.js';
import { addRules, type Rule } from './rules.js';

/** A dialect other than the neutral one is an overlay over it. */
const overlays = { couchdb: 'dialects/couchdb.overlay.yaml' } as const;

export type Descriptions = Record<'service' | keyof typeof overlays, Description>;

/**
 * The bundled description of every dialect.
 *
 * @param folder the folder that holds `openapi.yaml`
 * @throws InvalidInput when a reference leads nowhere, an overlay action has no target, or a result is not OpenAPI
 */
export async function bundleDescriptions(folder: string, rules: Rule[]): Promise<Descriptions> {
  const service = await bundleNeutral(join(folder, 'openapi.yaml'));
  addRules(service, rules);
  await validate(service, 'openapi/openapi.yaml');
  const couchdb = await applyOverlay(service, join(folder, overlays.couchdb), `openapi/${overlays.couchdb}`);
  await validate(couchdb, `openapi/${overlays.couchdb}`);
  return { service, couchdb };
}

async function bundleNeutral(path: string): Promise<Description> {
  const config = await createConfig({});
  const { bundle: document, problems } = await bundle({ ref: path, config }).catch((error: unknown) => {
    throw new InvalidInput(`openapi/openapi.yaml cannot be bundled: ${reasonOf(error)}`);
  });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const lines = errors.map(({ message, location: [place] }) =>
      place ? `${message} (${place.source.absoluteRef}${place.pointer ?? ''})` : message,
    );
    throw new InvalidInput(`openapi/openapi.yaml cannot be bundled: ${lines.join('; ')}`);
  }
  return document.parsed as Description;
}

async function applyOverlay(neutral: Description, path: string, name: string): Promise<Description> {
  const overlaySet = await readOverlay(path, name);
  const { data, resultData } = await openapiOverlay(structuredClone(neutral) as never, { overlaySet });
  const unused = resultData.unusedActions as { target?: unknown }[];
  if (unused.length > 0) {
    const targets = unused.map(({ target }) => JSON.stringify(target)).join(', ');
    throw new InvalidInput(`${name}: actions that change nothing, with the targets ${targets}`);
  }
  return data as unknown as Description;
}

async function readOverlay(path: string, name: string): Promise<OpenAPIOverlayOptions['overlaySet']> {
  try {
    return parse(await readFile(path, 'utf8')) as OpenAPIOverlayOptions['overlaySet'];
  } catch (error) {
    throw new InvalidInput(`${name} cannot be read: ${reasonOf(error)}`);
  }
}

async function validate(description: Description, name: string): Promise<void> {
  try {
    // The parser replaces references in the object that it is given.
    await SwaggerParser.validate(structuredClone(description) as never);
  } catch (error) {
    throw new InvalidInput(`${name} is not a valid OpenAPI description: ${reasonOf(error)}`);
  }
}
