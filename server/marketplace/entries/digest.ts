import { createHash } from 'node:crypto'

/** The parts of a release that its digest covers: everything that a copy must contain. */
export type DigestedRelease = {
  type: string
  name: string
  version: string
  description: string
  bodyMarkdown: string
  frontmatter: Record<string, unknown>
  /** In any order. Sizes in bytes, digests hexadecimal. */
  files: readonly { path: string; size: number; sha256: string }[]
}

/**
 * SHA-256, hexadecimal, of a release: of the canonical JSON (RFC 8785, UTF-8) of
 * `{ bodyMarkdown, description, files: [{ path, sha256, size }], format, frontmatter, name, type, version }`, where
 * `format` is `patio-release/1` and the files are sorted by path in UTF-16 code units. The same
 * content and file digests give the same result. The spelling of the front matter makes no difference.
 */
export function releaseDigest(release: DigestedRelease): string {
  const { type, name, version, description, bodyMarkdown, frontmatter } = release
  const files = release.files
    .map(({ path, size, sha256 }) => ({ path, size, sha256 }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const whole = { type, name, version, description, bodyMarkdown, frontmatter, files }
  return createHash('sha256')
    .update(canonicalJson({ format: 'patio-release/1', ...whole }))
    .digest('hex')
}

/** JSON without spaces, the fields of each object sorted by name in UTF-16 code units (RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`
}
