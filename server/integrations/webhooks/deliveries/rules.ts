import type { Scope } from '#contract/permissions.ts'
import type { Promised } from '../endpoint/rules.ts'
import { promiseOf } from '../fan-out/render.ts'

/** As when a notice is sent: the application needs the scope of its event now (Document 2, Authentication 3). */
export function maySee(scopes: ReadonlySet<Scope>, event: string, promised: Promised = promiseOf): boolean {
  const scope = promised(event)?.scope ?? null
  return scope === null || scopes.has(scope)
}
