import type { Route } from '#contract/route.ts'

// copies of the routes that the client itself calls, because the contract's consts would load its schemas

type Nothing = { params: object; query: object; body: object }

export const getSessionToken: Route<
  Omit<Nothing, 'query'> & { query: { organizationId?: string } },
  { token: string; expiresAt: string }
> = { method: 'GET', path: '/token', area: 'auth', auth: { account: true }, status: 200 }

export const createStreamToken: Route<Nothing, { token: string }> = {
  method: 'POST',
  path: '/sse-token',
  area: 'auth',
  auth: { session: { permission: null } },
  status: 201,
}
