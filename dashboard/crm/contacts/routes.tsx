import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listContacts } from '#contract/crm/contacts.ts'
import { beginList } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { customerQueryOf, customerSearchOf } from '../customer-search.ts'

const contactsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/contacts',
  validateSearch: customerSearchOf,
  loaderDeps: ({ search }) => customerQueryOf(search),
  loader: ({ context, deps }) => beginList(context.organization.id, listContacts, { query: deps }),
  component: lazyRouteComponent(() => import('./contacts.tsx'), 'Contacts'),
})

/** The contacts of all clients, and those without one. */
export const contactRoutes = [contactsRoute] as const
