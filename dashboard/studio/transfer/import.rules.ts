import type { Finding } from '#contract/studio/packages.ts'

/** A Markdown file alone is sent as an archive; anything else must be one. */
export function isMarkdown(name: string): boolean {
  return /\.(md|markdown)$/i.test(name)
}

/** The name of a lone Markdown file in its archive: the extension decides how the server reads it. */
export function nameInArchive(name: string): string {
  return name.replace(/\.markdown$/i, '.md')
}

/** The findings of a refused import, as the refusal lists them. */
export function findingsOf(details: unknown): Finding[] {
  if (!Array.isArray(details)) return []
  return details.map((detail: Partial<Finding>) => ({
    code: detail.code ?? '',
    path: detail.path || null,
    line: detail.line ?? null,
    message: detail.message ?? '',
  }))
}

/** The findings by the file that they are about, in the order of their first ones; null is the whole package. */
export function findingsByFile(findings: readonly Finding[]): { path: string | null; findings: Finding[] }[] {
  const files = new Map<string | null, Finding[]>()
  for (const finding of findings) files.set(finding.path, [...(files.get(finding.path) ?? []), finding])
  return [...files].map(([path, ofFile]) => ({ path, findings: ofFile }))
}
