/** What is made of the description: the code, and then the pages, which need the suite that is built on the code. */
import { join } from 'node:path';
import { bundleDescriptions } from './bundle.js';
import { handledOperations, operationsOf } from './description.js';
import { dialectsModule } from './dialects.js';
import { handlersModule } from './handlers.js';
import { format, type Files } from './output.js';
import { rulePage, type Suite } from './pages.js';
import { routesModule } from './routes.js';
import { checkReferences, readRules, rulesModule, type Rule } from './rules.js';
import { typesOf } from './types.js';
import { validatorsModule } from './validators.js';

/** Everything in these folders is generated. */
export const generatedFolders = ['openapi/generated', 'reference/generated'];

/**
 * The code and the bundled descriptions.
 *
 * @param root the folder that holds `openapi/`
 * @throws InvalidInput when the description or the rule catalogue is wrong
 */
export async function generateCode(root: string): Promise<{ files: Files; rules: Rule[] }> {
  const descriptions = await bundleDescriptions(join(root, 'openapi'));
  const { service, couchdb } = descriptions;
  const rules = await readRules(join(root, 'openapi/rules'));
  checkReferences(rules, operationsOf(service), service);

  const handled = handledOperations(service);
  const serviceTypes = await typesOf(service);
  const couchdbTypes = await typesOf(couchdb);
  const files = await format(
    {
      'openapi/generated/service.json': JSON.stringify(service),
      'openapi/generated/couchdb.json': JSON.stringify(couchdb),
      'openapi/generated/types.service.ts': serviceTypes.source,
      'openapi/generated/types.couchdb.ts': couchdbTypes.source,
      'openapi/generated/dialects.ts': dialectsModule(descriptions),
      'openapi/generated/rules.ts': rulesModule(rules),
      'reference/generated/handlers.ts': handlersModule(handled, service, serviceTypes.typeOf),
      'reference/generated/validators.ts': validatorsModule(handled, service),
      'reference/generated/routes.ts': routesModule(handled, service['x-names']),
    },
    root,
  );
  return { files, rules };
}

/** The page of each rule, which tells what the suite has for it. */
export function generatePages(root: string, rules: Rule[], suite: Suite): Promise<Files> {
  const pages = rules.map(
    (rule) => [`openapi/generated/rules/${rule.id}.md`, rulePage(rule, suite)] as const,
  );
  return format(Object.fromEntries(pages), root);
}
