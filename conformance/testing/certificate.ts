import { join } from 'node:path';
import { execa } from 'execa';

/** The files of a certificate and its key. */
export interface CertificateFiles {
  readonly key: string;
  readonly certificate: string;
}

/** Makes a certificate for `localhost`, signed by itself. Needs the program openssl. */
export async function certificateIn(folder: string): Promise<CertificateFiles> {
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'cert.pem') };
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const output = ['-keyout', files.key, '-out', files.certificate];
  await execa('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...output, ...subject]);
  return files;
}
