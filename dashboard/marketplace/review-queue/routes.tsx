import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listEntryReports, listSubmissions, readSubmission } from '#contract/marketplace/review-queue.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { operatorRoute } from '../../shell/parent-routes.tsx'
import { releaseSearchOf } from '../release/release-search.ts'
import { queueInputOf, queueSearchOf } from './queue-search.ts'
import { reportInputOf, reportSearchOf } from './reports.rules.ts'

const submissionsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/submissions',
  validateSearch: queueSearchOf,
  loaderDeps: ({ search }) => queueInputOf(search),
  loader: ({ context: { organization, isOperator }, deps }) =>
    isOperator ? beginList(organization.id, listSubmissions, deps, { staleMs: 0 }) : undefined,
  component: lazyRouteComponent(() => import('./submissions.tsx'), 'Submissions'),
})

const submissionRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/submissions/$submissionId',
  validateSearch: releaseSearchOf,
  loader: ({ context: { organization, isOperator }, params }) =>
    isOperator
      ? beginRead(
          organization.id,
          readSubmission,
          { params: { entryId: params.submissionId } },
          { staleMs: 0 },
        )
      : undefined,
  component: lazyRouteComponent(() => import('./submission-page.tsx'), 'SubmissionPage'),
})

const reportsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/reports',
  validateSearch: reportSearchOf,
  loaderDeps: ({ search: { status, entry } }) => ({ ...(status && { status }), ...(entry && { entry }) }),
  loader: ({ context: { organization, isOperator }, deps }) =>
    isOperator
      ? beginList(organization.id, listEntryReports, reportInputOf(deps), { staleMs: 0 })
      : undefined,
  component: lazyRouteComponent(() => import('./reports.tsx'), 'Reports'),
})

/** The desk of the operators who review the marketplace, below `/operator`. */
export const reviewQueueRoutes = [submissionsRoute, submissionRoute, reportsRoute] as const
