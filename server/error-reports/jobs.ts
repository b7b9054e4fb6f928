export { deleteOldErrors } from './retention.sql.ts'
