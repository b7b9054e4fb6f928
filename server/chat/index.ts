export { channelReach } from './reach/reach.ts'
export { chatRoutes } from './routes.ts'
