/** Validates capabilities that the user declares with flags or in the target file. */
import { capabilities, type Capability } from '../../../openapi/generated/rules.js';
import { suggestion } from '../../../reports/suggestion.js';
import type { CapabilityStatus } from './capabilities.js';

/** Capabilities that the suite can use only with more input, and the option that provides it. */
const requiredInput: Readonly<Partial<Record<Capability, string>>> = {
  admin: 'use --admin',
  cluster: 'pass the URLs of several nodes',
  'config-write': 'use --configure',
  'proxy-secret': 'set proxy-secret in the target file',
  'jwt-hmac': 'set jwt-keys in the target file',
  'jwt-rsa': 'set jwt-keys in the target file',
  'jwt-ec': 'set jwt-keys in the target file',
  'jwt-required-claims': 'set required-claims in the target file',
};

/** Throws the phrase on what is wrong with a name, with where the name is. */
type Refuse = (problem: string) => never;

export function capabilityNamed(name: string, refuse: Refuse): Capability {
  const capability = capabilities.find((known) => known === name);
  if (capability !== undefined) return capability;
  const hint = suggestion(name, capabilities) || `; capabilities: ${capabilities.join(', ')}`;
  return refuse(`is not a capability${hint}`);
}

/** @param how where the declaration comes from, for the report. */
export function declaredCapability(
  name: string,
  available: boolean,
  how: string,
  refuse: Refuse,
): CapabilityStatus {
  const capability = capabilityNamed(name, refuse);
  const input = requiredInput[capability];
  if (available && input !== undefined) refuse(`cannot be declared; ${input}`);
  return { name: capability, available, how };
}
