import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { operatorRoute } from '../../shell/parent-routes.tsx'
import { releaseSearchOf } from '../release/release-search.ts'
import { queueSearchOf } from './queue-search.ts'
import { reportSearchOf } from './reports.rules.ts'

const submissionsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/submissions',
  validateSearch: queueSearchOf,
  component: lazyRouteComponent(() => import('./submissions.tsx'), 'Submissions'),
})

const submissionRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/submissions/$submissionId',
  validateSearch: releaseSearchOf,
  component: lazyRouteComponent(() => import('./submission-page.tsx'), 'SubmissionPage'),
})

const reportsRoute = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/reports',
  validateSearch: reportSearchOf,
  component: lazyRouteComponent(() => import('./reports.tsx'), 'Reports'),
})

/** The desk of the operators who review the marketplace, below `/operator`. */
export const reviewQueueRoutes = [submissionsRoute, submissionRoute, reportsRoute] as const
