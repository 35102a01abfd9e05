/** The generators of clients that are tried, at fixed versions, and how each makes a client and runs it. */

export interface GeneratedClient {
  readonly generator: string;
  readonly language: string;
  /** The programs that must be there. */
  readonly needs: readonly string[];
  /** The program in `calls/` that uses the client. */
  readonly call: string;
  /** Commands that generate and build the client, in a new folder, which has the call and the description. */
  readonly build: readonly string[];
  /** Runs the call. The URL of the server and the password of the administrator follow. */
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

const oapiCodegen = '2.5.0';

export const clients: readonly GeneratedClient[] = [
  {
    generator: `openapi-generator ${openapiGenerator}, \`python\``,
    language: 'Python',
    needs: ['python3', 'java'],
    call: 'openapi_generator.py',
    build: [
      ...pip(`openapi-generator-cli==${openapiGenerator}`),
      `${generate} -g python --package-name couch`,
      'venv/bin/python -m pip install --quiet ./client',
    ],
    run: 'venv/bin/python openapi_generator.py',
  },
  {
    generator: `openapi-generator ${openapiGenerator}, \`java\` with \`native\``,
    language: 'Java',
    needs: ['python3', 'java', 'mvn'],
    call: 'Call.java',
    build: [
      ...pip(`openapi-generator-cli==${openapiGenerator}`),
      `${generate} -g java --library native`,
      'mvn --quiet -f client compile dependency:copy-dependencies -DoutputDirectory=../libraries',
    ],
    run: 'java -cp client/target/classes:libraries/* Call.java',
  },
  {
    generator: 'openapi-python-client 0.29.1',
    language: 'Python',
    needs: ['python3'],
    call: 'openapi_python_client.py',
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
    call: 'main.go',
    build: [
      'go mod init call',
      'mkdir couch',
      `go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${oapiCodegen} -generate types,client -package couch -o couch/couch.go ${descriptionFile}`,
      'go get github.com/oapi-codegen/runtime@v1.1.2',
      'go mod tidy',
    ],
    run: 'go run .',
  },
];
