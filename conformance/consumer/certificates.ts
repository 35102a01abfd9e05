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
  readonly unknown: Certificate;
  /** The authority vouches for it, and it is for another host. */
  readonly ofOtherHost: Certificate;
}

type Options = NonNullable<Parameters<typeof generate>[1]>;

/** By their numbers in RFC 5280: 2 is the name of a host, 7 an address. */
type SubjectAltName = { type: 2; value: string } | { type: 7; ip: string };

const otherHost = 'docfeed.invalid';

/** @param ip the address of the server */
export async function makeCertificates(ip: string): Promise<Certificates> {
  const make = async (name: string, options: Options): Promise<Certificate> => {
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
  const ofHost = (altName: SubjectAltName): Options => ({
    extensions: [
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [altName] },
    ],
  });
  const ofServer = ofHost({ type: 7, ip });
  return {
    authority: authority.cert,
    own: await make(ip, { ca: authority, ...ofServer }),
    unknown: await make(ip, ofServer),
    ofOtherHost: await make(otherHost, { ca: authority, ...ofHost({ type: 2, value: otherHost }) }),
  };
}
