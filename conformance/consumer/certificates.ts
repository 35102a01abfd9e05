/** Certificates for the servers of one trial, which no authority of the internet knows. */
import { generate } from 'selfsigned';

/** In PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** Certificate of the authority that clients must trust, in PEM. */
  readonly authority: string;
  /** The authority vouches for it. */
  readonly own: Certificate;
  /** For the same address, and nobody vouches for it. */
  readonly impostor: Certificate;
}

/** @param ip the address of the server */
export async function makeCertificates(ip: string): Promise<Certificates> {
  const make = async (name: string, options: Parameters<typeof generate>[1]): Promise<Certificate> => {
    const kind = { keyType: 'ec', algorithm: 'sha256' } as const;
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
      ...kind,
      ...options,
    });
    return { cert, key };
  };
  const authority = await make('docfeed', {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const extensions = [
    { name: 'extKeyUsage' as const, serverAuth: true },
    { name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip }] },
  ];
  return {
    authority: authority.cert,
    own: await make(ip, { ca: authority, extensions }),
    impostor: await make(ip, { extensions }),
  };
}
