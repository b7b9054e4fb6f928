export { furnishChat } from './demo.ts'
export { channelReach } from './event-recipients/recipients-resolver.ts'
export { chatRoutes } from './routes.ts'
export { chatFollower } from './channel-access/membership-listener.ts'
