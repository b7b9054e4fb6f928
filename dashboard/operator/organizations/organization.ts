import type { listOrganizations } from '#contract/identity/operator.ts'
import type { listOperatedApplications } from '#contract/integrations/critical-scopes.ts'
import type { Reply } from '#contract/route.ts'
import type { PlanChoice } from './plan.rules.ts'

/** An organization as operators see it. */
export type Organization = Reply<typeof listOrganizations>['items'][number]

/** An application of any organization as operators see it. */
export type Application = Reply<typeof listOperatedApplications>['items'][number]

/** How many parts differ from the plan. */
export function exceptionCount(choice: PlanChoice): number {
  const { modulesAdded, modulesRemoved, capabilitiesAdded, capabilitiesRemoved } = choice
  return modulesAdded.length + modulesRemoved.length + capabilitiesAdded.length + capabilitiesRemoved.length
}
