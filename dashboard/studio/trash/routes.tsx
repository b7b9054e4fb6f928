import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listDeletedAssets } from '#contract/studio/lifecycle.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'

const trashRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/studio/trash',
  loader: ({ context }) => beginList(context.organization.id, listDeletedAssets),
  component: lazyRouteComponent(() => import('./trash.tsx'), 'Trash'),
})

/** The screen of deleted assets. */
export const trashRoutes = [trashRoute] as const
