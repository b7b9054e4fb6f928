import type { listKeys } from '#contract/integrations/keys.ts'
import type { Reply } from '#contract/route.ts'

export type ApplicationKey = Reply<typeof listKeys>['items'][number]

/** Whether a key works at a moment in milliseconds since 1970. */
export function isActive({ revokedAt, expiresAt }: ApplicationKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)
}

/** How far the change from one key to another is (KEY-2). */
export type Rotation =
  /** One key or none: the next step creates another one. */
  | { step: 'create' }
  /** Two keys; the newer one was never used. */
  | { step: 'use'; former: ApplicationKey; next: ApplicationKey }
  /** The newer one is in use: the older one can go. */
  | { step: 'revoke'; former: ApplicationKey; next: ApplicationKey }

/** Finds the next step from the active keys, the newest first. */
export function rotationOf([next, former]: readonly ApplicationKey[]): Rotation {
  if (!next || !former) return { step: 'create' }
  return { step: next.lastUsedAt === null ? 'use' : 'revoke', former, next }
}

/** A command that calls the API with a key. The operation needs no scope. */
export function curlOf(origin: string, key: string): string {
  return `curl ${origin}/api/external/v1/application \\\n  -H 'X-Api-Key: ${key}'`
}

/** Whether the key was used in the hour before a moment in milliseconds since 1970. */
export function wasUsedLately({ lastUsedAt }: ApplicationKey, now: number): boolean {
  return lastUsedAt !== null && now - Date.parse(lastUsedAt) < 3_600_000
}
