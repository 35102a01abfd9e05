/** Hash functions for proxy tokens (SERVICE 5.3). */
import { getHashes } from 'node:crypto';

const names = {
  sha: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  md5: 'md5',
};

/** Hash functions that this machine supports. Maps CouchDB's names to Node's. */
export const hashFunctions: ReadonlyMap<string, string> = new Map(
  Object.entries(names).filter(([, name]) => getHashes().includes(name)),
);
