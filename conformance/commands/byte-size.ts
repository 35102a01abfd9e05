import { InvalidArgumentError } from 'commander';

const factors: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: 1024 ** 2 };

/** Node.js keeps no longer text in memory. */
const greatest = 256 * 1024 ** 2;
const least = 1024;

/** The parser of an option whose value is a size: a number of bytes, or a number with a unit such as `16MiB`. */
export function parseSize(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})(KiB|MiB)?$/.exec(text) ?? [];
  const size = Number(digits) * factors[unit]!;
  if (size >= least && size <= greatest) return size;
  throw new InvalidArgumentError(
    'It must be a size from 1KiB to 256MiB, such as 16MiB, or a number of bytes.',
  );
}
