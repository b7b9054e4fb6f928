import type { listRoles } from '#contract/identity/roles.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Reply } from '#contract/route.ts'

/** A custom role as the list shows it. */
export type CustomRole = Reply<typeof listRoles>['items'][number]

/** A column of the matrix; only custom roles can be changed. */
export type ShownRole = {
  key: string
  name: string
  permissions: readonly Permission[]
  custom?: CustomRole
}
