/** Runs the commands of the target file that create and remove databases. */
import { spawn } from 'node:child_process';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A command of the target file. It may contain secrets, so messages have its name instead. */
export interface ShellCommand {
  /** Such as `databases.create in docfeed.target.yaml`. */
  readonly name: string;
  /** For a shell. */
  readonly command: string;
  /** Where it runs. */
  readonly folder: string;
}

/** Time in which a command must end, in milliseconds: it may start a server. */
const commandMs = 60_000;

/** How much of what a failed command says a message has. */
const maxLines = 5;

/** The command failed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  /** A command that ends by itself and says that it has failed leaves nothing behind. */
  readonly hasCreatedNothing: boolean;

  constructor(message: string, { hasCreatedNothing }: { hasCreatedNothing: boolean }) {
    super(message);
    this.hasCreatedNothing = hasCreatedNothing;
  }
}

/**
 * Runs the command to its end, also if the run is interrupted meanwhile. What it starts may go on.
 *
 * @param env added to the environment
 * @returns what it printed
 * @throws CommandFailed with the exit status and the last lines of stderr
 */
export async function runCommand(
  { name, command, folder }: ShellCommand,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  // Files, since what the command starts may keep a pipe open.
  const [stdout, stderr] = [await openNameless(), await openNameless()];
  try {
    const end = await new Promise<{ how: string; isGood?: boolean; hasCreatedNothing: boolean }>(
      (resolve) => {
        const child = spawn(command, {
          shell: true,
          cwd: folder,
          env: { ...process.env, ...env },
          stdio: ['ignore', stdout.fd, stderr.fd],
          // Ctrl-C is for the run, which then removes what the command creates.
          detached: true,
        });
        const timer = setTimeout(() => {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
          resolve({ how: `did not end within ${commandMs / 1000} s`, hasCreatedNothing: false });
        }, commandMs);
        child.once('error', ({ message }) =>
          resolve({ how: `cannot be run: ${message}`, hasCreatedNothing: true }),
        );
        child.once('exit', (code, signal) => {
          clearTimeout(timer);
          const how = signal === null ? `ended with exit status ${code}` : `was ended by ${signal}`;
          resolve({ how, isGood: code === 0, hasCreatedNothing: signal === null });
        });
      },
    );
    if (end.isGood) return await contentOf(stdout);
    const said = (await contentOf(stderr)).trimEnd().split('\n').slice(-maxLines).join('\n');
    throw new CommandFailed(`${name} ${end.how}${said === '' ? '' : `: ${said}`}`, end);
  } finally {
    for (const file of [stdout, stderr]) await file.close();
  }
}

/** A file without a name leaves nothing behind, however the run ends. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-command-'));
  try {
    return await open(join(folder, 'output'), 'w+');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const contentOf = (file: FileHandle): Promise<string> =>
  text(file.createReadStream({ start: 0, autoClose: false }));
