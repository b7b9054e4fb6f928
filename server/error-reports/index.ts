export { deleteOldErrors } from './retention.sql.ts'
export { errorReportRoutes } from './routes.ts'
