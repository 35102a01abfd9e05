/** The suite as a library: `import { runConformance, checks } from 'docfeed'`. */
export { exitCode } from '../reports/report.js';
export type { CheckResult, Outcome, Report } from '../reports/report.js';
export { renderHtml } from '../reports/render/html.js';
export { renderJunit } from '../reports/render/junit.js';
export { renderMarkdown } from '../reports/render/markdown.js';
export { writeReport } from '../reports/write.js';
export type { Profile } from './engine/check.js';
export type { Check } from './target/check.js';
export { checks } from './areas/checks.js';
export { CheckFailed, type ConformanceRun, startConformance } from './start-conformance.js';
export { runConformance } from './run-conformance.js';
export type { ConformanceOptions } from './target/options.js';
export { Refusal } from './engine/refusal.js';
