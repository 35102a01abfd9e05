/** Reads a YAML file and reports problems in it with their line. */
import { readFile } from 'node:fs/promises';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { Refusal } from '../engine/refusal.js';

/** A place in the file: keys of mappings and indexes of lists. */
export type YamlPath = readonly (string | number)[];

export interface YamlFile {
  readonly content: unknown;
  /** @throws Refusal with file, line, path and problem. */
  refuse(path: YamlPath, problem: string, linePath?: YamlPath): never;
}

/**
 * @param title what kind of file it is, for messages.
 * @throws Refusal if the file cannot be read or is not YAML. Messages never quote the content, which may be secret.
 */
export async function readYamlFile(file: string, title: string): Promise<YamlFile> {
  let source: string;
  try {
    source = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal('file', `cannot read ${title} ${file}: ${code ?? message}`);
  }
  const lines = new LineCounter();
  // The pretty errors of the library quote the line.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const refuseAt = (offset: number, problem: string): never => {
    throw new Refusal('file', `${file}:${lines.linePos(offset).line}: ${problem}`);
  };
  const [error] = document.errors;
  if (error) refuseAt(error.pos[0], `invalid YAML: ${error.message.split('\n')[0]!}`);
  return {
    content: document.toJS(),
    refuse: (path, problem, linePath = path) =>
      refuseAt(offsetOf(document, linePath), path.length === 0 ? problem : `${path.join('.')} ${problem}`),
  };
}

/** The offset of the last existing step of the path: of its key in a mapping, of its value in a list. */
function offsetOf(document: Document, path: YamlPath): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const next: unknown = pair
      ? pair.key
      : (node as { get?: (key: unknown, keep: true) => unknown } | null)?.get?.(step, true);
    if (isNode(next) && next.range) offset = next.range[0];
    node = pair ? pair.value : next;
  }
  return offset;
}
