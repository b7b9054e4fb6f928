type Detail = { version: string | undefined; nextVersion: string | undefined; message: string | undefined }

/** The numbers that a refusal names, and its first remark about the front matter. */
export function detailOf(error: unknown): Detail {
  const body = (error as { body?: Record<string, unknown> } | null)?.body ?? {}
  const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const details = Array.isArray(body.details) ? (body.details as Record<string, unknown>[]) : []
  const first = details.find(({ path }) => path === 'frontmatterText')
  return {
    version: textIn(body.version),
    nextVersion: textIn(body.nextVersion),
    message: textIn(first?.message),
  }
}
