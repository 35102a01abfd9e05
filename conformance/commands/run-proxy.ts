/** Runs `docfeed proxy` until a signal ends it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import type { Report } from '../../reports/report.js';
import { renderHtml } from '../../reports/render/html.js';
import { renderOutcomeLine, showsColour } from '../../reports/render/terminal.js';
import { createReporters } from '../../reports/reporters/index.js';
import { writeReport } from '../../reports/write.js';
import { checks } from '../rules/checks.js';
import { readBaseline } from '../engine/baseline.js';
import { inMegabytes } from '../traffic/judged-traffic.js';
import { type Proxy, startProxy } from '../traffic/start-proxy.js';
import { prepareReportFolder } from './command-line.js';
import { runInterruptibly } from './interruption.js';
import { canRedraw, redrawnLine } from './progress.js';
import type { ProxyCommandOptions, TrafficOptions } from './traffic-options.js';
import { prepareReporting } from './run-and-report.js';

/** How often the line of a terminal changes, in milliseconds. */
const viewMs = 500;

/** How long what has passed is judged after a signal, in milliseconds: with the report, the end takes less than two seconds. */
const lastMs = 700;

/** @throws Refusal if the options, a file or the target prevent the run. */
export async function runProxy(options: ProxyCommandOptions): Promise<void> {
  const { specs } = await prepareReporting(options);
  if (options.record !== undefined) await prepareReportFolder(options.record);
  const { stderr } = process;
  const line = redrawnLine(stderr, !options.quiet && canRedraw(stderr));
  let findings = 0;
  const started = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const recording = options.record === undefined ? undefined : join(options.record, `traffic-${started}.har`);
  const proxy = await startProxy({
    ...(await proxyOptions(options)),
    target: options.target,
    port: options.port,
    host: options.host,
    recording,
    onFinding(found) {
      findings += 1;
      line.print(renderOutcomeLine(found, showsColour(stderr)).trimEnd());
    },
    onNotice: (notice) => line.print(`docfeed: ${notice}`),
  });
  const draw = (): void => {
    const { requests, connections, openFeeds } = proxy;
    line.draw(
      `${requests} requests, ${connections} connections, ${openFeeds} open feeds, ${findings} findings`,
    );
  };
  const report = await runInterruptibly(
    'the report is not written',
    async (signal) => {
      const closeAdmin = await openAdmin(options, proxy);
      // A program that reads the standard output gets nothing else there.
      const isForPrograms = specs.some(({ name, file }) => file === undefined && name !== 'default');
      (isForPrograms ? stderr : process.stdout).write(`listening on ${proxy.url}\n`);
      draw();
      const view = setInterval(draw, viewMs);
      void writeRegularly(options, proxy, signal);
      if (!signal.aborted) await once(signal, 'abort');
      clearInterval(view);
      closeAdmin();
      return options.quiet ? proxy.stop({ withinMs: lastMs }) : stopVisibly(proxy, line);
    },
    'writing the report',
  );
  await reportTraffic(report, options, specs);
}

/** Says what is left to judge, and at the end what stays unjudged. */
async function stopVisibly(proxy: Proxy, line: ReturnType<typeof redrawnLine>): Promise<Report> {
  const say = (): void => {
    const { requests, waitingBytes } = proxy;
    const text = `judging what has passed: ${requests} requests are judged, ${inMegabytes(waitingBytes)} are left`;
    if (canRedraw(process.stderr)) line.draw(text);
    else line.print(`docfeed: ${text}`);
  };
  const view = setInterval(say, viewMs);
  try {
    return await proxy.stop({ withinMs: lastMs });
  } finally {
    clearInterval(view);
    line.stop();
  }
}

/** The options of the library that come from those of the command line. */
export async function proxyOptions({
  baseline,
  singleCopy,
  dialect,
  serviceVersion,
  requiredClaims,
  bodies,
}: Omit<TrafficOptions, 'reportDir' | 'reporter'>) {
  return {
    dialect,
    serviceVersion,
    bodies,
    hasOneCopy: singleCopy,
    requiredClaims: requiredClaims?.split(',').map((name) => name.trim()),
    baseline: baseline === undefined ? [] : await readBaseline(baseline, checks),
  };
}

/** Writes and prints the report. */
export async function reportTraffic(
  report: Report,
  options: Pick<TrafficOptions, 'reportDir'>,
  specs: Parameters<typeof createReporters>[0],
  exitCode: 0 | 1 | 3 = report.summary.fail > 0 ? 1 : 0,
): Promise<void> {
  const reporter = createReporters(specs);
  const { url, dialect, version } = report.target;
  reporter.onRunBegin({ url, dialect, version, checks: report.checks.map(({ id }) => id) });
  for (const [index, result] of report.checks.entries()) {
    reporter.onCheckEnd({ result, done: index + 1, total: report.checks.length });
  }
  await writeReport(report, options.reportDir);
  await reporter.onRunEnd({ report, reportDir: options.reportDir, exitCode, isReplay: false });
  process.exitCode = exitCode;
}

async function writeRegularly(
  { every: minutes, reportDir }: ProxyCommandOptions,
  proxy: Proxy,
  signal: AbortSignal,
): Promise<void> {
  if (minutes === undefined) return;
  try {
    for await (const tick of every(60_000 * minutes, undefined, { signal })) {
      void tick;
      await writeReport(await proxy.report(), reportDir);
    }
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`docfeed: ${(error as Error).message}\n`);
  }
}

/** Shows the report so far at an address of this machine only. @returns a function that closes it */
async function openAdmin({ adminPort }: ProxyCommandOptions, proxy: Proxy): Promise<() => void> {
  if (adminPort === undefined) return () => {};
  const server = createServer((request, response) => {
    const isJson = request.url === '/report.json';
    if (request.method !== 'GET' || !(isJson || request.url === '/')) {
      response.writeHead(404).end();
      return;
    }
    proxy.report().then(
      (report) => {
        response.setHeader('Content-Type', isJson ? 'application/json' : 'text/html; charset=utf-8');
        response.end(isJson ? JSON.stringify(report) : renderHtml(report));
      },
      () => response.writeHead(500).end(),
    );
  });
  server.listen(adminPort, '127.0.0.1');
  await once(server, 'listening');
  process.stderr.write(`report at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
