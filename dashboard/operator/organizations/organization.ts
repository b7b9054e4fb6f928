import type { listOrganizations } from '#contract/identity/operator.ts'
import type { listOperatedApplications } from '#contract/integrations/critical-scopes.ts'
import type { Reply } from '#contract/route.ts'

/** An organization as operators see it. */
export type Organization = Reply<typeof listOrganizations>['items'][number]

/** An application of any organization as operators see it. */
export type Application = Reply<typeof listOperatedApplications>['items'][number]

/** How many parts differ from the plan. */
export function exceptionCount(organization: Organization): number {
  const { modulesAdded, modulesRemoved, capabilitiesAdded, capabilitiesRemoved } = organization
  return modulesAdded.length + modulesRemoved.length + capabilitiesAdded.length + capabilitiesRemoved.length
}
