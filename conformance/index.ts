/** The suite as a library: `import { runConformance, checks } from 'docfeed'`. */
export { exitCode } from '../reports/report.js';
export type { CheckResult, Outcome, Report } from '../reports/report.js';
export { renderHtml } from '../reports/render/html.js';
export { renderJunit } from '../reports/render/junit.js';
export { renderMarkdown } from '../reports/render/markdown.js';
export { writeReport } from '../reports/write.js';
export type { Profile } from './engine/check.js';
export type { Check } from './session/scope/rule-checks.js';
export { checks } from './rules/checks.js';
export { CheckFailed, type ConformanceRun, startConformance } from './start-conformance.js';
export { runConformance } from './run-conformance.js';
export type { ConformanceOptions } from './session/conformance-options.js';
export { Refusal } from './engine/refusal.js';
export { type Proxy, type ProxyOptions, startProxy } from './traffic/start-proxy.js';
export { checkReadOnly, type ReadOnlyOptions } from './traffic/read-only/check-read-only.js';
export type { FoundViolation } from './traffic/findings.js';
