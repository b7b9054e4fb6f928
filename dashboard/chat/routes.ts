/** The screens of channels, conversations and agents, below `/o/:organization`. */
export const chatRoutes = [] as const
