import type { Scope } from '#contract/permissions.ts'
import type { About } from '#platform/emit.ts'
import type { Promised } from '../endpoint/rules.ts'
import { promiseOf } from '../fan-out/render.ts'
import { permits } from '../fan-out/scopes.ts'

/** As when a notice is sent: the application needs the scope of its event now (Document 2, Authentication 3). */
export function maySee(
  scopes: ReadonlySet<Scope>,
  { event, about }: { event: string; about: About | null },
  promised: Promised = promiseOf,
): boolean {
  const promise = promised(event)
  return promise === undefined || permits(promise, about, scope => scopes.has(scope))
}
