/** The SHA-256 of the sources of the dashboard, in hexadecimal. */
export function sourceDigest(): string
/** The SHA-256 of files and of all files in folders but tests and builds, by their paths in the repository, in hexadecimal. */
export function digestOf(sources: readonly string[]): string
/** Whether `dashboard/dist` was built from the sources as they are. */
export function isBuilt(): boolean
