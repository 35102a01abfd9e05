/** Generates every file under `generated/` from the description, the rule catalogue and the JSON Schemas. */
import { join } from 'node:path';
import { bundleDescriptions, bundleForClients } from './bundle.js';
import { handledOperations } from './description.js';
import { dialectsModule } from './dialects.js';
import { feedParametersModule } from './feed-parameters.js';
import { handlersModule } from './handlers.js';
import { findChanged, findStale, format, remove, write, type Files } from './output.js';
import { routesModule } from './routes.js';
import { ruleHomesModules } from './rule-homes.js';
import { readCapabilities, readRules, rulesModule, rulesPage } from './rules.js';
import { schemaModules } from './schemas.js';
import { serviceModule } from './service.js';
import { typesModule, typesOf } from './types.js';
import { validatorsModule } from './validators.js';

/** Folders in which every file is generated; other files are removed. */
const generatedFolders = ['openapi', 'reference', 'conformance', 'conformance/rules', 'reports'].map(
  (name) => `${name}/generated`,
);

/** Paths relative to the root of the project. With `check`, the files are reported but not touched. */
export interface Outcome {
  /** Files that were written. */
  changed: string[];
  /** Files that the generators no longer produce and that were removed. */
  stale: string[];
}

/**
 * Writes the generated files that differ from those on disk.
 *
 * @param root the root of the project
 * @param options with `check`, nothing is written or removed
 * @throws InvalidInput if the description or the rule catalogue is invalid; nothing is written in that case
 */
export async function generate(root: string, { check }: { check: boolean }): Promise<Outcome> {
  const files = await generateFiles(root);
  const changed = await findChanged(files, root);
  const stale = await findStale(generatedFolders, Object.keys(files), root);
  if (!check) {
    await write(files, changed, root);
    await remove(stale, root);
  }
  return { changed, stale };
}

async function generateFiles(root: string): Promise<Files> {
  const rules = await readRules(join(root, 'openapi/rules'));
  const capabilities = await readCapabilities(join(root, 'openapi/rules'));
  const folder = join(root, 'openapi');
  const descriptions = await bundleDescriptions(folder, rules);
  const { service, couchdb } = descriptions;

  const handled = handledOperations(service);
  const serviceTypes = await typesOf(service);
  const couchdbTypes = await typesOf(couchdb);
  return format(
    {
      'openapi/generated/service.json': JSON.stringify(service),
      'openapi/generated/couchdb.json': JSON.stringify(couchdb),
      'openapi/generated/service.openapi-3.0.json': JSON.stringify(await bundleForClients(folder, service)),
      'openapi/generated/couchdb.openapi-3.0.json': JSON.stringify(await bundleForClients(folder, couchdb)),
      'openapi/generated/types.service.ts': typesModule('service', serviceTypes),
      'openapi/generated/types.couchdb.ts': typesModule('couchdb', couchdbTypes),
      'openapi/generated/dialects.ts': dialectsModule(descriptions),
      'openapi/generated/feed-parameters.ts': feedParametersModule(handled),
      ...(await schemaModules(root)),
      'openapi/generated/rules.ts': rulesModule(rules, capabilities),
      'openapi/generated/rules.md': rulesPage(rules),
      ...(await ruleHomesModules(
        root,
        rules.map(({ id }) => id),
      )),
      'reports/generated/service.ts': await serviceModule(root),
      'reference/generated/handlers.ts': handlersModule(handled, service, serviceTypes.typeOf),
      'reference/generated/validators.ts': validatorsModule(handled, service),
      'reference/generated/routes.ts': routesModule(handled, service),
    },
    root,
  );
}
