import { channelRoutes } from './channels/routes.tsx'

/** The screens of channels, conversations and agents, below `/o/:organization`. */
export const chatRoutes = [...channelRoutes] as const
