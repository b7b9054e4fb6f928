import type { Finding } from '#contract/studio/packages.ts'

/** Something that the author of a package should know. `code` is a stable word. */
export function finding(
  code: string,
  path: string | null,
  message: string,
  line: number | null = null,
): Finding {
  return { code, path, line, message }
}

/** Why a package cannot be imported. */
export class InvalidPackageError extends Error {
  readonly findings: readonly Finding[]
  constructor(findings: readonly Finding[]) {
    super(findings[0]?.message)
    this.findings = findings
  }
}

/** The package is not taken. */
export function rejectPackage(
  code: string,
  path: string | null,
  message: string,
  line: number | null = null,
): never {
  throw new InvalidPackageError([finding(code, path, message, line)])
}

/** The package, or something in it, is larger than what is taken. */
export class PackageTooLargeError extends Error {
  readonly code: string
  readonly path: string | null
  readonly limit: number
  constructor(code: string, path: string | null, limit: number, message: string) {
    super(message)
    this.code = code
    this.path = path
    this.limit = limit
  }
}

/** The beginning of a text that may be anything, in quotes. */
export function quoteStart(text: string): string {
  return JSON.stringify(text.slice(0, 60).toWellFormed())
}

/** So many findings of one kind are told one by one. */
export const maxFindings = 100
