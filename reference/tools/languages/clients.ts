/** The generators of clients that are tried, at fixed versions, and how each makes a client and runs it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface GeneratedClient {
  readonly generator: string;
  readonly language: string;
  /** The programs that must be there. */
  readonly needs: readonly string[];
  /** The files in `calls/` for it: the program that uses the client, and what else it needs. */
  readonly calls: readonly string[];
  /** Commands that generate and build the client, in a new folder, which has the call and the description. */
  readonly build: readonly string[];
  /** Runs the call. The URL of the server and the password of the administrator follow. */
  readonly run: string;
  /** The program of openapi/README.md for this client. */
  readonly guide?: Guide;
}

export interface Guide {
  /** As the fence of its code names it. */
  readonly language: string;
  readonly file: string;
  readonly run: string;
}

/** The form of the description for generators, in the folder of the commands. */
export const descriptionFile = 'couchdb.json';

/** Installs a package from PyPI, where openapi-generator is as well. */
const pip = (what: string): string[] => [
  'python3 -m venv venv',
  `venv/bin/python -m pip install --quiet ${what}`,
];

const openapiGenerator = '7.25.0';

const generate = `venv/bin/openapi-generator-cli generate -i ${descriptionFile} -o client`;

/** The folder of docfeed, which has openapi-fetch and tsx. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

const oapiCodegen = '2.5.0';

export const clients: readonly GeneratedClient[] = [
  {
    generator: `openapi-generator ${openapiGenerator}, \`python\``,
    language: 'Python',
    needs: ['python3', 'java'],
    calls: ['openapi_generator.py'],
    build: [
      ...pip(`openapi-generator-cli==${openapiGenerator}`),
      `${generate} -g python --package-name couch`,
      'venv/bin/python -m pip install --quiet ./client',
    ],
    run: 'venv/bin/python openapi_generator.py',
    guide: { language: 'python', file: 'guide.py', run: 'venv/bin/python guide.py' },
  },
  {
    generator: `openapi-generator ${openapiGenerator}, \`java\` with \`native\``,
    language: 'Java',
    needs: ['python3', 'java', 'mvn'],
    calls: ['Call.java'],
    build: [
      ...pip(`openapi-generator-cli==${openapiGenerator}`),
      `${generate} -g java --library native`,
      'mvn --quiet -f client compile dependency:copy-dependencies -DoutputDirectory=../libraries',
    ],
    run: 'java -cp client/target/classes:libraries/* Call.java',
    guide: {
      language: 'java',
      file: 'Guide.java',
      run: 'java -cp client/target/classes:libraries/* Guide.java',
    },
  },
  {
    generator: 'openapi-python-client 0.29.1',
    language: 'Python',
    needs: ['python3'],
    calls: ['openapi_python_client.py'],
    build: [
      ...pip('openapi-python-client==0.29.1'),
      `venv/bin/openapi-python-client generate --path ${descriptionFile} --output-path couch --meta none`,
    ],
    run: 'venv/bin/python openapi_python_client.py',
  },
  {
    generator: `oapi-codegen ${oapiCodegen}, \`types,client\``,
    language: 'Go',
    needs: ['go'],
    calls: ['main.go'],
    build: [
      'go mod init call',
      'mkdir couch',
      `go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${oapiCodegen} -generate types,client -package couch -o couch/couch.go ${descriptionFile}`,
      'go get github.com/oapi-codegen/runtime@v1.1.2',
      'go mod tidy',
    ],
    run: 'go run .',
    guide: { language: 'go', file: 'guide/main.go', run: 'go run ./guide' },
  },
  {
    generator: 'progenitor 0.15.1, `Builder`',
    language: 'Rust',
    needs: ['cargo'],
    calls: ['call.rs', 'client.rs'],
    build: [
      'cargo init --quiet --lib --name couch',
      'cargo add --quiet progenitor@=0.15.1 progenitor-client@=0.15.1 regress@0.12 serde_json@1',
      'cargo add --quiet reqwest@0.13 --no-default-features --features json,stream',
      'cargo add --quiet serde@1 --features derive',
      'cargo add --quiet tokio@1 --features macros,rt',
      'mkdir src/bin',
      'mv client.rs src/lib.rs',
      'mv call.rs src/bin',
      'cargo build --quiet',
    ],
    run: 'cargo run --quiet --bin call',
    guide: { language: 'rust', file: 'src/bin/guide.rs', run: 'cargo run --quiet --bin guide' },
  },
  {
    generator: '`docfeed types` and openapi-fetch',
    language: 'TypeScript',
    needs: ['node'],
    calls: ['call.ts'],
    build: [
      `ln -s ${join(root, 'node_modules')} node_modules`,
      `node ${join(root, 'dist/bin/docfeed.js')} types --dialect couchdb --out couchdb.d.ts`,
      'mv call.ts call.mts',
    ],
    run: 'npx tsx call.mts',
    guide: { language: 'ts', file: 'guide.mts', run: 'npx tsx guide.mts' },
  },
];
