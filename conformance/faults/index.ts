/** All faults: servers that break one rule each. They prove that the checks of that rule can fail. */
import type { Fault } from '../../reference/index.js';
import { clusterFaults } from './cluster.js';
import { feedFaults } from './feed.js';
import { filterFaults } from './filters.js';
import { identityFaults } from './identity.js';
import { liveFiltersFaults } from './live-filters.js';
import { modesFaults } from './modes.js';
import { tokenFaults } from './tokens.js';
import { parameterFaults } from './parameters.js';

export const faults: readonly Fault[] = [
  ...identityFaults,
  ...tokenFaults,
  ...feedFaults,
  ...parameterFaults,
  ...modesFaults,
  ...filterFaults,
  ...liveFiltersFaults,
  ...clusterFaults,
];
