import type { Permission } from '#contract/permissions.ts'
import { dataOf } from '../../data/contract.ts'
import { allDestinations, type Destination } from '../../shell/navigation.ts'

/** The screens for which a permission is needed. */
export function screensOf(permission: Permission): readonly Destination[] {
  return allDestinations.filter(({ operation }) => dataOf(operation).auth.session?.permission === permission)
}
