import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readChannel } from '#contract/chat/channels.ts'
import { beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { governedSearchOf, peopleSearchOf } from './governed.rules.ts'

// the list is not begun here: only administrators may read it, and the caller is being read at the same time
const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/channels/governed',
  validateSearch: governedSearchOf,
  component: lazyRouteComponent(() => import('./governed-channels.tsx'), 'GovernedChannels'),
})

const peopleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/channels/$channelId/people',
  validateSearch: peopleSearchOf,
  loader: ({ context, params: { channelId } }) =>
    beginRead(context.organization.id, readChannel, { params: { id: channelId } }),
  component: lazyRouteComponent(() => import('./channel-people.tsx'), 'ChannelPeople'),
})

/** The screens that manage channels, also those that the person is not in. */
export const governedRoutes = [listRoute, peopleRoute] as const
