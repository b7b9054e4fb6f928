import { agentRoutes } from './agents/routes.tsx'
import { governedRoutes } from './governed/routes.tsx'

/** The screens of channels, conversations and agents, below `/o/:organization`. */
export const chatRoutes = [...agentRoutes, ...governedRoutes] as const
