/** Hash functions for proxy tokens (SERVICE 5.3). */
import { getHashes } from 'node:crypto';

const names = {
  sha: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  md5: 'md5',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
  ripemd160: 'ripemd160',
};

/** Hash functions that this machine supports. Maps CouchDB's names to Node's. */
export const hashFunctions: ReadonlyMap<string, string> = new Map(
  Object.entries(names).filter(([, name]) => getHashes().includes(name)),
);
