export { errorOverview } from './overview.sql.ts'
export { errorReportRoutes } from './routes.ts'
