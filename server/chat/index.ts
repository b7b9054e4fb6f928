export { furnishChat } from './demo.ts'
export { channelReach } from './reach/reach.ts'
export { chatRoutes } from './routes.ts'
export { chatFollower } from './standing/follow.ts'
