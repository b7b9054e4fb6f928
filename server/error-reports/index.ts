export { forgetOldErrors } from './retention.sql.ts'
export { errorReportRoutes } from './routes.ts'
