import { limits } from '#contract/limits.ts'
import {
  scopes as allScopes,
  criticalScopes,
  permissions,
  type Scope,
  scopePermissions,
} from '#contract/permissions.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'

/** The fields of an application that can change. */
export type ApplicationFields = {
  slug: string
  name: string
  description: string | null
  status: 'ACTIVE' | 'DISABLED'
  principal_id: string
  origins: readonly string[]
  scopes: readonly Scope[]
}

/** Makes a slug from a name: ASCII words joined by hyphens, at most 64 characters. */
export function slugFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimSlug(words, limits.applicationSlug) || 'application'
}

/** The slug, with a number appended from 2 on; never longer than a slug may be. */
export function numberedSlug(slug: string, n: number): string {
  if (n === 1) return slug
  const ending = `-${n}`
  return `${trimSlug(slug, limits.applicationSlug - ending.length)}${ending}`
}

function trimSlug(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, '')
}

/** Refuses SCOPE_IS_CRITICAL when a request adds a critical scope. */
export function assertNoNewCritical(wanted: readonly Scope[], had: readonly Scope[]): void {
  const added = wanted.filter(scope => isCritical(scope) && !had.includes(scope))
  if (added.length > 0) fail('SCOPE_IS_CRITICAL', { scopes: added })
}

/**
 * Refuses APPLICATION_EXCEEDS_PERMISSIONS when a person would gain permissions through an application. An administrator
 * may create its keys, grant scopes and choose its principal. Another person may do so only as its principal and with
 * every permission that its scopes stand for, and never for an application with a critical scope.
 */
export function assertWithinPermissions(
  caller: Caller,
  { principal_id, scopes }: Pick<ApplicationFields, 'principal_id' | 'scopes'>,
): void {
  if (caller.isAdministrator) return
  const needed = new Set(scopes.flatMap(scope => scopePermissions[scope]))
  const missing = permissions.filter(name => needed.has(name) && !caller.permissions.has(name))
  if (principal_id !== caller.personId || missing.length > 0 || scopes.some(isCritical))
    fail('APPLICATION_EXCEEDS_PERMISSIONS', { permissions: missing })
}

export function isCritical(scope: Scope): boolean {
  return (criticalScopes as readonly Scope[]).includes(scope)
}

/** Sorts scopes as in the contract, so that equal sets are equal lists. */
export function sortScopes(scopes: readonly Scope[]): Scope[] {
  return allScopes.filter(scope => scopes.includes(scope))
}

/**
 * Writes origins as browsers do: `HTTPS://App.example.com:443` becomes `https://app.example.com`. Refuses
 * VALIDATION_ERROR for an invalid origin.
 */
export function normalizeOrigins(origins: readonly string[]): string[] {
  return [...new Set(origins.map((text, at) => originOf(text) ?? refuse(at)))]
}

// the contract allows only scheme, host and port
function originOf(text: string): string | undefined {
  const origin = URL.canParse(text) ? new URL(text).origin : ''
  return origin !== '' && origin.length <= limits.applicationOrigin ? origin : undefined
}

function refuse(at: number): never {
  const message = 'must be an origin, such as https://app.example.com'
  fail('VALIDATION_ERROR', { details: [{ path: `origins.${at}`, code: 'format', message }] })
}

/** The wire names of the fields that differ. */
export function changedFields(before: ApplicationFields, after: ApplicationFields): string[] {
  return changedFieldNames(
    {
      name: 'name',
      slug: 'slug',
      description: 'description',
      status: 'status',
      principal_id: 'principalId',
      origins: 'origins',
      scopes: 'scopes',
    },
    before,
    after,
  )
}
