import type { Permission } from '#contract/permissions.ts'
import { dataOf } from '../../data/contract.ts'
import { type Destination, navigation, settingsNavigation } from '../../shell/navigation.ts'

/** The screens for which a permission is needed. */
export function screensOf(permission: Permission): readonly Destination[] {
  return [...navigation.flatMap(({ destinations }) => destinations), ...settingsNavigation].filter(
    ({ operation }) => dataOf(operation).auth.session?.permission === permission,
  )
}
