import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** The files of a certificate and its key. */
export interface CertificateFiles {
  readonly key: string;
  readonly certificate: string;
}

/** Makes a certificate for `localhost`, signed by itself. */
export async function certificateIn(folder: string): Promise<CertificateFiles> {
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'cert.pem') };
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
  });
  await writeFile(files.key, key);
  await writeFile(files.certificate, cert);
  return files;
}
