import type { Finding } from '#contract/studio/packages.ts'

/** An error or a warning about a package. `code` is stable. */
export function finding(
  code: string,
  path: string | null,
  message: string,
  line: number | null = null,
): Finding {
  return { code, path, line, message }
}

/** The package cannot be imported. `findings` says why. */
export class InvalidPackageError extends Error {
  readonly findings: readonly Finding[]
  constructor(findings: readonly Finding[]) {
    super(findings[0]?.message)
    this.findings = findings
  }
}

/** Rejects the package with one finding. */
export function rejectPackage(
  code: string,
  path: string | null,
  message: string,
  line: number | null = null,
): never {
  throw new InvalidPackageError([finding(code, path, message, line)])
}

/** The package, or a file in it, exceeds a limit. */
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

/** The start of an untrusted text, in quotes. */
export function quoteStart(text: string): string {
  return JSON.stringify(text.slice(0, 60).toWellFormed())
}

/** Findings of one kind that are reported one by one. */
export const maxFindings = 100
