import type { Route } from '#contract/route.ts'

// the operations that the client calls by itself; those of the contract would bring its schemas along

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
