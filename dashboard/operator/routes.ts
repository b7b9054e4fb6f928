/** The screens of the operators of this server, below `/operator`. */
export const operatorRoutes = [] as const
