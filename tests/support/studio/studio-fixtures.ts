import { type Organization, openWorld, type Person, type TestWorld } from '../test-server.ts'

/** Who takes part where the studio is tested: an author and a colleague in one organization. */
export type StudioCast = { world: TestWorld; organization: Organization; author: Person; other: Person }

export async function openStudioCast(): Promise<StudioCast> {
  const world = await openWorld()
  const organization = await world.organization()
  return { world, organization, author: await organization.person(), other: await organization.person() }
}
