export { forgetOldErrors } from './retention/store.ts'
export { errorReportRoutes } from './routes.ts'
