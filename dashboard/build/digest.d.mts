/** The SHA-256 of the sources of the dashboard, in hexadecimal. */
export function sourceDigest(): string
/** Whether `dashboard/dist` was built from the sources as they are. */
export function isBuilt(): boolean
