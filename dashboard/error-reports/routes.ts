/** The screens of errors and their tickets, below `/o/:organization`. */
export const errorReportRoutes = [] as const
