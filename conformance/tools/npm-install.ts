/** @returns the arguments of npm that install packages into a temporary folder */
export const npmInstall = (folder: string, packages: readonly string[]): string[] => [
  'install',
  ...packages,
  '--prefix',
  folder,
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
];
