import { agentRoutes } from './agents/routes.tsx'
import { channelRoutes } from './channels/routes.tsx'
import { governedRoutes } from './governed/routes.tsx'

/** The screens of channels, conversations and agents, below `/o/:organization`. */
export const chatRoutes = [...channelRoutes, ...agentRoutes, ...governedRoutes] as const
