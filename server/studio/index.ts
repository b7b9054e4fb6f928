export { furnishStudio } from './demo.ts'
export { studioRoutes } from './routes.ts'
export { toolRoutes } from './tools/operations.ts'
