/** Capabilities that the user claims or denies, by flags or in the target file. */
import { capabilities, type Capability } from '../../openapi/generated/rules.js';
import type { CapabilityStatus } from './capabilities.js';

/** A claim of these would be empty without what the kit needs to use them. */
const notByWord: Readonly<Partial<Record<Capability, string>>> = {
  admin: 'give --admin',
  cluster: 'give the URLs of several nodes',
  'config-write': 'give --configure',
  'proxy-secret': 'give proxy-secret in the target file',
  'jwt-hmac': 'give jwt-keys in the target file',
  'jwt-rsa': 'give jwt-keys in the target file',
  'jwt-ec': 'give jwt-keys in the target file',
  'jwt-required-claims': 'give required-claims in the target file',
};

/**
 * @param how says who declares it, for the report.
 * @returns the claim, or what is wrong with it as a text that goes on after the name.
 */
export function declaredCapability(name: string, available: boolean, how: string): CapabilityStatus | string {
  const capability = capabilities.find((known) => known === name);
  if (capability === undefined) return `is no capability; there is ${capabilities.join(', ')}`;
  const instead = notByWord[capability];
  if (available && instead !== undefined) return `cannot be claimed: ${instead}`;
  return { name: capability, available, how };
}
