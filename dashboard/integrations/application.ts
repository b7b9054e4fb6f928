import type { listApplications, readApplication } from '#contract/integrations/applications.ts'
import type { Reply } from '#contract/route.ts'

export type Application = Reply<typeof readApplication>
export type ListedApplication = Reply<typeof listApplications>['items'][number]
