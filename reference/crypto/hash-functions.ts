/** The hash functions that this machine has for tokens of proxies, by CouchDB's names for them. */
import { getHashes } from 'node:crypto';

const names = {
  sha: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  md5: 'md5',
};

/** By name; the value is what node calls the function. */
export const hashFunctions: ReadonlyMap<string, string> = new Map(
  Object.entries(names).filter(([, name]) => getHashes().includes(name)),
);
