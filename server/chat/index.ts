export { chatMembershipListener } from './channel-access/membership-listener.ts'
export { seedChat } from './demo.ts'
export { channelRecipientsResolver } from './event-recipients/recipients-resolver.ts'
export { chatRoutes } from './routes.ts'
