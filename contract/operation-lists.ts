import { contractModules } from './modules.ts'
import { isOperation } from './operation.ts'
import type { Permission, Scope } from './permissions.ts'
import { type AuthKind, pathAt } from './route.ts'

/** An operation by its name in the audit log, `POST /api/org/roles`, and what it does. */
export type NamedOperation = { readonly name: string; readonly summary: string }

const operations = contractModules.flatMap(module => Object.values(module)).filter(isOperation)

/** The operations of people that each permission opens. */
export const permissionOperations: Readonly<Partial<Record<Permission, readonly NamedOperation[]>>> =
  Object.groupBy(
    operations.flatMap(operation => {
      const permission = operation.auth.session?.permission
      const name = `${operation.method} ${pathAt('session', operation)}`
      return permission ? [{ permission, name, summary: operation.summary }] : []
    }),
    ({ permission }) => permission,
  )

/** The operations of applications that each scope opens. */
export const scopeOperations: Readonly<Partial<Record<Scope, readonly NamedOperation[]>>> = Object.groupBy(
  operations.flatMap(operation => {
    const scope = operation.auth.apiKey?.scope
    const name = `${operation.method} ${pathAt('apiKey', operation)}`
    return scope ? [{ scope, name, summary: operation.summary }] : []
  }),
  ({ scope }) => scope,
)

/** The operations that change something, once for each kind of caller, by their names in the audit log. */
export const changingOperations: readonly string[] = [
  ...new Set(
    operations
      .filter(({ method }) => method !== 'GET')
      .flatMap(operation =>
        (Object.keys(operation.auth) as AuthKind[]).map(
          kind => `${operation.method} ${pathAt(kind, operation)}`,
        ),
      ),
  ),
].sort()
