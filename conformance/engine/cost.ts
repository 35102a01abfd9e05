/** Measures what a run costs, for the report. */
import type { Report } from '../../reports/report.js';

type Cost = NonNullable<Report['suite']['cost']>;

/** Starts to measure. The returned function stops and returns the cost since then. */
export function measureCost(): (meter: Omit<Cost, 'processorMs' | 'waiting'>) => Cost {
  const processorBefore = process.cpuUsage();
  const loopBefore = performance.eventLoopUtilization();
  return ({ requests, databases, sentBytes, receivedBytes }) => {
    const { user, system } = process.cpuUsage(processorBefore);
    const { idle, active } = performance.eventLoopUtilization(loopBefore);
    return {
      requests,
      databases,
      sentBytes,
      receivedBytes,
      processorMs: Math.round((user + system) / 1000),
      waiting: Math.round((100 * idle) / (idle + active)) / 100,
    };
  };
}
