/** All that is made of the description: the code, and then the pages, which tell of the suite built on it. */
import { join } from 'node:path';
import { bundleDescriptions } from './bundle.js';
import { handledOperations } from './description.js';
import { dialectsModule } from './dialects.js';
import { handlersModule } from './handlers.js';
import { differing, format, remove, stale, write, type Files } from './output.js';
import { rulePage, type Suite } from './pages.js';
import { routesModule } from './routes.js';
import { readCapabilities, readRules, rulesModule, type Rule } from './rules.js';
import { schemaModules } from './schemas.js';
import { typesModule, typesOf } from './types.js';
import { validatorsModule } from './validators.js';

/** Everything in these folders is generated. */
const generatedFolders = ['openapi/generated', 'reference/generated'];

export interface Options {
  /** Write nothing, only compare. */
  check: boolean;
  /** Called when the code is written, against which the suite is compiled. */
  loadSuite: () => Promise<Suite>;
}

/** Paths relative to the root. */
export interface Outcome {
  /** Files that were written, or would be. */
  changed: string[];
  /** Files that nothing makes any more: removed, or would be. */
  stale: string[];
}

/**
 * Makes all generated files.
 *
 * @param root the folder that holds `openapi/`
 * @throws InvalidInput when the description or the rule catalogue is wrong; nothing is written then
 */
export async function generate(root: string, { check, loadSuite }: Options): Promise<Outcome> {
  const { files: code, rules } = await generateCode(root);
  const changedCode = await differing(code, root);
  if (!check) await write(code, changedCode, root);

  const pages = await generatePages(root, rules, await loadSuite());
  const changedPages = await differing(pages, root);
  if (!check) await write(pages, changedPages, root);

  const staleFiles = await stale(generatedFolders, [...Object.keys(code), ...Object.keys(pages)], root);
  if (!check) await remove(staleFiles, root);
  return { changed: [...changedCode, ...changedPages], stale: staleFiles };
}

/** The code and the bundled descriptions. */
async function generateCode(root: string): Promise<{ files: Files; rules: Rule[] }> {
  const rules = await readRules(join(root, 'openapi/rules'));
  const capabilities = await readCapabilities(join(root, 'openapi/rules'));
  const descriptions = await bundleDescriptions(join(root, 'openapi'), rules);
  const { service, couchdb } = descriptions;

  const handled = handledOperations(service);
  const serviceTypes = await typesOf(service);
  const couchdbTypes = await typesOf(couchdb);
  const files = await format(
    {
      'openapi/generated/service.json': JSON.stringify(service),
      'openapi/generated/couchdb.json': JSON.stringify(couchdb),
      'openapi/generated/types.service.ts': typesModule('service', serviceTypes),
      'openapi/generated/types.couchdb.ts': typesModule('couchdb', couchdbTypes),
      'openapi/generated/dialects.ts': dialectsModule(descriptions),
      ...(await schemaModules(root)),
      'openapi/generated/rules.ts': rulesModule(rules, capabilities),
      'reference/generated/handlers.ts': handlersModule(handled, service, serviceTypes.typeOf),
      'reference/generated/validators.ts': validatorsModule(handled, service),
      'reference/generated/routes.ts': routesModule(handled, service['x-names']),
    },
    root,
  );
  return { files, rules };
}

/** The page of each rule, which tells what the suite has for it. */
function generatePages(root: string, rules: Rule[], suite: Suite): Promise<Files> {
  const pages = rules.map(
    (rule) => [`openapi/generated/rules/${rule.id}.md`, rulePage(rule, suite)] as const,
  );
  return format(Object.fromEntries(pages), root);
}
