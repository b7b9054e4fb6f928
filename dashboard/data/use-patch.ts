import { useQueryClient } from '@tanstack/react-query'
import type { Route } from '#contract/route.ts'
import { patchRows } from './frames.patch.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'

/**
 * Writes values of one object into what was read with these operations, in lists and in details: before the server has
 * answered (optimistic), or from its answer, when nothing else has to be read anew.
 */
export function usePatch(
  ...operations: readonly Route[]
): (id: string, values: Readonly<Record<string, unknown>>) => void {
  const cache = useQueryClient()
  const organization = useOrganization()
  return (id, values) => {
    for (const operation of operations)
      cache.setQueriesData({ queryKey: keyOf(organization.id, operation) }, (former: unknown) =>
        patchRows(former, id, values),
      )
  }
}
