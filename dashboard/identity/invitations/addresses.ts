/** The addresses in a text that a person typed or pasted: from lines, lists, cells, or `Name <address>`. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[\n\r,;\t]+/)
    .map(part => (/<([^<>]+)>/.exec(part)?.[1] ?? part).trim())
    .filter(part => part !== '')
}
