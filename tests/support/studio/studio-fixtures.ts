import { type Organization, type Person, startTestServer, type TestServer } from '../test-server.ts'

/** A test server with an author and a colleague in one organization. */
export type StudioFixtures = { server: TestServer; organization: Organization; author: Person; other: Person }

export async function openStudioFixtures(): Promise<StudioFixtures> {
  const server = await startTestServer()
  const organization = await server.organization()
  return {
    server,
    organization,
    author: await organization.person(),
    other: await organization.person(),
  }
}
