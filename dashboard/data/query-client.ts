import { QueryClient } from '@tanstack/react-query'
import { CallError } from '#sdk/client.ts'
import { onSignOut } from './tabs.ts'

/** The cache of what was read. The client of the SDK retries, so the cache does not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, gcTime: 300_000 },
    mutations: { retry: false },
  },
})

onSignOut(() => queryClient.clear())

/** Whether a call failed because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401
}

/** Whether a call failed because the person may not use the organization: suspended, or no longer a member. */
export function isAccessLost(error: unknown): boolean {
  return error instanceof CallError && [403, 404].includes(error.status)
}

/** Whether the operator has suspended the organization. */
export function isSuspended(error: unknown): boolean {
  return error instanceof CallError && error.body.errorCode === 'ORGANIZATION_SUSPENDED'
}
