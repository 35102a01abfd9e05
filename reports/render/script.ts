/** Renders a counterexample as a self-contained shell script. */
import { quote } from 'shlex';
import type { CheckResult, Counterexample, RecordedExchange, Report } from '../report.js';
import { jqPrograms, shellFunctions } from './script-runtime.js';
import { NotRepeatable, ScriptSteps } from './script-steps.js';
import { escapeInvisible } from '../escape.js';
import { formatExpected, formatSettings, inlineJson, replayCommand } from './text.js';

/** A script and its path relative to the report, or the reason why there is none. */
export type Script = { readonly file: string; readonly text: string } | { readonly none: string };

/**
 * Creates the script of a check with a counterexample. The script sends the recorded requests again, to a new database
 * and with the revisions, sequences and cookies of the new responses. It exits with 1 if each response equals the
 * recorded one, which reproduces the violation: the verdict depends on the responses only. It exits with 0 as soon as a
 * response differs.
 *
 * @returns `undefined` if the check has no counterexample
 */
export function scriptOf(report: Report, check: CheckResult): Script | undefined {
  if (!check.counterexample) return undefined;
  const none = reasonForNoScript(report, check, check.counterexample);
  if (none !== undefined) return { none };
  const steps = new ScriptSteps(report.target.url.split(' '));
  try {
    for (const exchange of check.counterexample.exchanges) steps.add(exchange);
  } catch (error) {
    if (error instanceof NotRepeatable) return { none: error.message };
    throw error;
  }
  return {
    file: `scripts/${check.id.replace(/[^\w-]+/g, '.')}.sh`,
    text: renderScript(report, check, steps),
  };
}

/** @returns why sending the requests one after the other would not reproduce the violation, if so. */
function reasonForNoScript(
  { target: { provided = [] } }: Report,
  check: CheckResult,
  { exchanges, omitted = 0 }: Counterexample,
): string | undefined {
  const settings = formatSettings(check);
  if (settings !== undefined) return `The check changes settings: ${settings}.`;
  if (exchanges.length === 0) return 'No exchange was recorded.';
  if (provided.includes(authenticationHandlers) && exchanges.some(isSessionRequest)) {
    return `The run changed ${authenticationHandlers}, and the responses depend on it.`;
  }
  const isTruncated = ({ request, response }: RecordedExchange): boolean =>
    request.truncated === true || response?.truncated === true;
  if (omitted > 0) return 'The report does not contain the earlier exchanges.';
  if (exchanges.some(isTruncated)) return 'The report contains only part of a body.';
  const dependsOnTiming = ({ request, response }: RecordedExchange): boolean =>
    !response || response.unfinished === true || /[?&]feed=(?!normal(&|$))/.test(request.path);
  if (exchanges.some(dependsOnTiming)) {
    return 'The verdict depends on timing, not only on the content of the responses.';
  }
  const isConcurrentWrite = exchanges.some(
    (one, index) => isWrite(one) && exchanges.some((other, at) => at !== index && areConcurrent(one, other)),
  );
  return isConcurrentWrite
    ? 'Other requests ran concurrently with a write, and a script cannot repeat their order.'
    : undefined;
}

/** The setting with the list of authentication methods; the responses of `/_session` contain it. */
const authenticationHandlers = 'chttpd/authentication_handlers';
const isSessionRequest = ({ request: { path } }: RecordedExchange): boolean => /\/_session(\?|$)/.test(path);

const isWrite = ({ request: { method, path } }: RecordedExchange): boolean =>
  !(method === 'GET' || method === 'HEAD' || (method === 'POST' && /\/_changes(\?|$)/.test(path)));

function areConcurrent({ time: one }: RecordedExchange, { time: other }: RecordedExchange): boolean {
  return one !== undefined && other !== undefined && one.startMs < other.endMs && other.startMs < one.endMs;
}

function renderScript(report: Report, check: CheckResult, steps: ScriptSteps): string {
  const urls = report.target.url.split(' ').map((url) => url.replace(/\/$/, ''));
  const variables = urls.map((_, node) => (node === 0 ? 'url' : `url_${node + 1}`));
  const violation = describeViolation(check.counterexample!);
  const usage = `Usage: ${steps.needsAdmin ? 'DOCFEED_ADMIN=name:password ' : ''}$0 [URL]${' [URL]'.repeat(urls.length - 1)}`;
  return `#!/usr/bin/env bash
# ${escapeInvisible(check.id)} (${check.level}): ${violation[0]}
#
# Sends the recorded requests again and compares each response with the recorded one.
# Exit codes: 1 violation reproduced, 0 a response differs, 2 invalid arguments or the script cannot run.${
    check.replay === undefined ? '' : `\n# The same case with docfeed: ${replayCommand(report, check.replay)}`
  }
# shellcheck disable=SC2016,SC2317
set -euo pipefail

if [ $# -gt ${urls.length} ] || [[ "\${1:-}" = -* ]]; then
  echo ${quote(usage).replace('$0', `'"$0"'`)} >&2
  exit 2
fi
for tool in curl jq; do
  if ! command -v "$tool" >/dev/null; then
    echo "This script needs $tool." >&2
    exit 2
  fi
done
${urls.map((url, node) => `${variables[node]}=\${${node + 1}:-${quote(url)}}\n${variables[node]}=\${${variables[node]}%/}\n`).join('')}DOCFEED_ADMIN=\${DOCFEED_ADMIN:-}

# Makes the names of this run unique. Digits only, because tests also send names in upper case.
run=$(printf '%08d' $(((RANDOM * 32768 + RANDOM) % 100000000)))
recorded_run=${quote(steps.run)}
sent_revisions=${quote(JSON.stringify([...steps.sentRevisions]))}
parse_response=${quote(jqPrograms.parseResponse)}
normalize_responses=${quote(jqPrograms.normalizeResponses)}
${shellFunctions}
# Removes the databases and users that the requests create.
remove_created() {
${[
  ...[...steps.databases].map((path) => `  delete "$url"${path}\n`),
  ...[...steps.users].map((path) => `  delete_document "$url"${path}\n`),
  '  return 0\n',
].join('')}}

${steps.needsAdmin ? 'check_admin\n\n' : ''}${steps.commands.join('\n')}
echo
printf '%s\\n' ${[`Each response equals the recorded one. The target violates ${escapeInvisible(check.id)}:`, ...violation].map(quote).join(' \\\n  ')}
exit 1
`;
}

function describeViolation(counterexample: Counterexample): string[] {
  const { message, path, actual } = counterexample;
  return [
    `${message}.`,
    ...(path === undefined ? [] : [`at       ${path}`]),
    ...('expected' in counterexample ? [`expected ${formatExpected(counterexample.expected)}`] : []),
    ...(path === undefined ? [] : [`actual   ${inlineJson(actual)}`]),
  ].map((line) => escapeInvisible(line));
}
