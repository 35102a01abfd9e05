/** Parses a comma-separated list of roles (SERVICE 5.3, 5.4 rule 5). Surrounding spaces are ignored. */
export function roleList(text: string): string[] {
  return text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
}
