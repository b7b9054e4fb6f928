export { furnishCrm } from './demo.ts'
export { endCursors } from './leads/sync/store.ts'
export { crmRoutes } from './routes.ts'
