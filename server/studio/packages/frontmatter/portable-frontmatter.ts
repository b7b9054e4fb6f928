/** The keys of the Agent Skills specification: https://agentskills.io/specification */
export const portableKeys = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
] as const
export const portableLengths = { name: 64, description: 1_024, compatibility: 500 } as const

type Fields = Record<string, unknown>

/**
 * The front matter of a skill as every client accepts it: the six portable keys with string values, and `metadata` with
 * string values. All other keys move into `metadata` as strings, so that nothing is lost.
 */
export function portableFrontmatter(frontmatter: Fields): Fields {
  const inner = isObject(frontmatter.metadata) ? frontmatter.metadata : {}
  const metadata = Object.fromEntries(Object.entries(inner).map(([key, value]) => [key, textOf(value)]))
  const result: Fields = {}
  for (const [key, value] of Object.entries(frontmatter)) {
    const text = textOf(value)
    if (key === 'metadata' && isObject(value)) result.metadata = metadata
    else if (key === 'allowed-tools' && Array.isArray(value)) result[key] = value.map(textOf).join(' ')
    else if (key === 'description') result[key] = portableDescription(text)
    else if (isPortable(key, text)) result[key] = text
    else if (!Object.hasOwn(inner, key)) metadata[key] = text
  }
  if (Object.keys(metadata).length > 0) return { ...result, metadata }
  const { metadata: _, ...others } = result
  return others
}

function isPortable(key: string, text: string): boolean {
  if (key === 'compatibility') return text !== '' && [...text].length <= portableLengths.compatibility
  return key !== 'metadata' && portableKeys.some(known => known === key)
}

/** Truncated to the limit, and without angle brackets, which clients reject as XML. */
function portableDescription(text: string): string {
  const plain = text.replaceAll('<', '‹').replaceAll('>', '›')
  const letters = [...plain]
  if (letters.length <= portableLengths.description) return plain
  return `${letters.slice(0, portableLengths.description - 1).join('')}…`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether simple readers, which split at the first two `---`, understand this front matter. */
export function isPlainHead(head: string): boolean {
  return head.startsWith('---\n') && !head.includes('\r') && head.split('---').length === 3
}
