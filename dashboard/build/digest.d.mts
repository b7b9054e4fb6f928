/** The SHA-256 of the sources of the dashboard, in hexadecimal. */
export function sourceDigest(): string
/** The files that sources are, and all in those that are folders, but tests and builds, by their paths in the folder: the repository. */
export function filesOf(sources: readonly string[], folder?: string): string[]
/**
 * The SHA-256 of the files of sources and their paths, and of the `imports` of package.json, by which they name each other, in
 * hexadecimal.
 */
export function digestOf(sources: readonly string[], folder?: string): string
/** Whether `dashboard/dist` was built from the sources as they are. */
export function isBuilt(): boolean
