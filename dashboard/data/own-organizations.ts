import { listOwnOrganizations, readCaller } from '#contract/identity/sessions.ts'
import type { Reply } from '#contract/route.ts'
import { queryClient } from './query-client.ts'
import { keyOf, useAccountRead } from './read.ts'
import { callAccount, clientOf } from './session.ts'

/** An organization of the signed-in person. Its address is the part of its URLs that names it. */
export type OwnOrganization = Reply<typeof listOwnOrganizations>['items'][number]

/** The organizations of the person, as they change. */
export function useOwnOrganizations(): readonly OwnOrganization[] {
  return useAccountRead(listOwnOrganizations, { staleMs: 300_000 }).data?.items ?? []
}

/** The organizations of the person, read once for all screens. */
export async function readOwnOrganizations(): Promise<readonly OwnOrganization[]> {
  const { items } = await queryClient.fetchQuery({
    queryKey: keyOf('account', listOwnOrganizations),
    queryFn: () => callAccount(listOwnOrganizations),
    staleTime: 300_000,
  })
  return items
}

/** Whether the organizations of the person were read in this tab. */
export function areOrganizationsRead(): boolean {
  return queryClient.getQueryData(keyOf('account', listOwnOrganizations)) !== undefined
}

/** How the cache reads the person and their rights in an organization; `access-changed` makes it read again. */
export function callerQuery(organizationId: string) {
  return {
    queryKey: keyOf(organizationId, readCaller),
    queryFn: () => clientOf(organizationId).call(readCaller),
    staleTime: Number.POSITIVE_INFINITY,
  }
}
