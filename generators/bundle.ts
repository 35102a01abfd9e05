/** Bundles the description into one self-contained, valid document per dialect. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { bundle, createConfig } from '@redocly/openapi-core';
import { openapiOverlay, type OpenAPIOverlayOptions } from 'openapi-format';
import { parse } from 'yaml';
import {
  type Access,
  methods,
  resolve,
  type Description,
  type OperationObject,
  type ParameterObject,
  type Reference,
} from './description.js';
import { clientForm } from './client-form.js';
import { InvalidInput, reasonOf } from './errors.js';
import { addRules, type Rule } from './rules.js';

/** The overlays that turn the neutral description into another dialect. */
const overlays = { couchdb: 'dialects/couchdb.overlay.yaml' } as const;

export type Descriptions = Record<'service' | keyof typeof overlays, Description>;

/**
 * The bundled description of every dialect, with `x-rules`.
 *
 * @param folder the folder with `openapi.yaml`
 * @throws InvalidInput if a reference cannot be resolved, a rule or an overlay action has no target, or a result is not
 *   valid OpenAPI
 */
export async function bundleDescriptions(folder: string, rules: Rule[]): Promise<Descriptions> {
  const service = await bundleNeutral(join(folder, 'openapi.yaml'));
  moveParametersToOperations(service);
  addSecurity(service);
  addRules(service, rules);
  await validate(service, 'openapi/openapi.yaml');
  const couchdb = await applyOverlay(service, join(folder, overlays.couchdb), `openapi/${overlays.couchdb}`);
  await validate(couchdb, `openapi/${overlays.couchdb}`);
  return { service, couchdb };
}

/** Removes what generators of clients cannot express. */
const clientsOverlay = 'dialects/clients.overlay.yaml';

/**
 * The form of a description for generators of clients, in OpenAPI 3.0.3.
 *
 * @param folder the folder with `openapi.yaml`
 * @throws InvalidInput if an overlay action has no target, or the result is not valid OpenAPI
 */
export async function bundleForClients(folder: string, description: Description): Promise<object> {
  const name = `openapi/${clientsOverlay}`;
  const form = await clientForm(await applyOverlay(description, join(folder, clientsOverlay), name));
  await validate(form, name);
  return form;
}

async function bundleNeutral(path: string): Promise<Description> {
  const config = await createConfig({});
  const { bundle: document, problems } = await bundle({ ref: path, config }).catch((error: unknown) => {
    throw new InvalidInput(`openapi/openapi.yaml cannot be bundled: ${reasonOf(error)}`);
  });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const lines = errors.map(({ message, location: [location] }) =>
      location ? `${message} (${location.source.absoluteRef}${location.pointer ?? ''})` : message,
    );
    throw new InvalidInput(`openapi/openapi.yaml cannot be bundled: ${lines.join('; ')}`);
  }
  return document.parsed as Description;
}

/** Some generators of clients, such as orval, ignore all parameters of a path except those in the path itself. */
function moveParametersToOperations(description: Description): void {
  for (const item of Object.values(description.paths)) {
    const shared = (item.parameters ?? []) as (ParameterObject | Reference)[];
    const isInPath = (entry: ParameterObject | Reference) => resolve(description, entry).in === 'path';
    const moved = shared.filter((entry) => !isInPath(entry));
    if (moved.length === 0) continue;
    item.parameters = shared.filter(isInPath);
    for (const method of methods) {
      const operation = item[method] as OperationObject | undefined;
      if (operation) operation.parameters = [...moved, ...(operation.parameters ?? [])];
    }
  }
}

/**
 * Tools know nothing of `x-access`: says which credentials the operations need that are not for everybody. A proxy must
 * also send the roles of an administrator.
 */
function addSecurity(description: Description): void {
  const ofAdministrators = description.security.filter((schemes) =>
    'proxyUserName' in schemes ? 'proxyRoles' in schemes : Object.keys(schemes).length > 0,
  );
  const needCredentials: readonly unknown[] = ['owner', 'databaseAdmin', 'serverAdmin'] satisfies Access[];
  for (const item of Object.values(description.paths))
    for (const method of methods) {
      const operation = item[method] as OperationObject | undefined;
      if (needCredentials.includes(operation?.['x-access'])) operation!.security = ofAdministrators;
    }
}

async function applyOverlay(neutral: Description, path: string, name: string): Promise<Description> {
  const overlaySet = await readOverlay(path, name);
  const { data, resultData } = await openapiOverlay(structuredClone(neutral) as never, { overlaySet });
  const unused = resultData.unusedActions as { target?: unknown }[];
  if (unused.length > 0) {
    const targets = unused.map(({ target }) => JSON.stringify(target)).join(', ');
    throw new InvalidInput(`${name}: actions without effect, with the targets ${targets}`);
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

async function validate(description: object, name: string): Promise<void> {
  try {
    // The parser resolves references in place.
    await SwaggerParser.validate(structuredClone(description) as never);
  } catch (error) {
    throw new InvalidInput(`${name} is not a valid OpenAPI description: ${reasonOf(error)}`);
  }
}
