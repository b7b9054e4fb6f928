export type { ApplicationRow } from './applications/application.access.ts'
export { applicationFor } from './applications/application.access.ts'
export { applicationNames } from './applications/application.sql.ts'
