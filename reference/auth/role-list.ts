/** The roles in a list with commas (SERVICE 5.3, 5.4 rule 5). Spaces around them are no part of them. */
export function roleList(text: string): string[] {
  return text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
}
