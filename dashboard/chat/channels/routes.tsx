import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listDirectory, listOwnChannels, readChannel } from '#contract/chat/channels.ts'
import { listMentions, listOwnThreads } from '#contract/chat/messages.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { messageSearchOf } from '../found/search-params.ts'
import { channelSearchOf } from './channel-search.ts'
import { channelListInput } from './list-input.ts'

type TextSearch = { q?: string }
const textSearchOf = ({ q }: Record<string, unknown>): TextSearch =>
  (typeof q === 'string' || typeof q === 'number') && q !== '' ? { q: String(q) } : {}

const frameRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/channels',
  loader: ({ context }) => beginList(context.organization.id, listOwnChannels, channelListInput),
  component: lazyRouteComponent(() => import('./channels-frame.tsx'), 'ChannelsFrame'),
})

const startRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start.tsx'), 'ChannelsStart'),
})

const channelRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/$channelId',
  validateSearch: channelSearchOf,
  loader: ({ context, params }) =>
    beginRead(context.organization.id, readChannel, { params: { id: params.channelId } }),
  component: lazyRouteComponent(() => import('./channel.tsx'), 'ChannelScreen'),
})

const directoryRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/directory',
  validateSearch: textSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { q } }) =>
    beginList(context.organization.id, listDirectory, { query: q === undefined ? {} : { search: q } }),
  component: lazyRouteComponent(() => import('./directory.tsx'), 'Directory'),
})

const threadsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/threads',
  loader: ({ context }) => beginList(context.organization.id, listOwnThreads),
  component: lazyRouteComponent(() => import('../found/threads.tsx'), 'OwnThreads'),
})

const mentionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/mentions',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  loader: ({ context }) => beginList(context.organization.id, listMentions),
  component: lazyRouteComponent(() => import('../found/mentions.tsx'), 'Mentions'),
})

const searchRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/search',
  validateSearch: messageSearchOf,
  component: lazyRouteComponent(() => import('../found/search.tsx'), 'MessageSearch'),
})

/** The screens of channels, conversations and messages: a list of channels beside each of them. */
export const channelRoutes = [
  frameRoute.addChildren([
    startRoute,
    directoryRoute,
    threadsRoute,
    mentionsRoute,
    searchRoute,
    channelRoute,
  ]),
] as const
