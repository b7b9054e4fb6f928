import { type Organization, type Person, startTestServer, type TestServer } from '../test-server.ts'
import { openReceiver, type WebhookReceiver } from './receiver.ts'

/** People, server and receiver for tests of webhook operations. */
export type WebhookFixtures = {
  server: TestServer
  org: Organization
  /** An administrator. */
  manager: Person
  /** A member without the permission. */
  clerk: Person
  /** The owner of another organization. */
  stranger: Person
  receiver: WebhookReceiver
}

export async function openWebhookFixtures(): Promise<WebhookFixtures> {
  const server = await startTestServer({ webhookNetworks: ['127.0.0.0/8', '::1/128'] })
  const org = await server.organization()
  return {
    server,
    org,
    manager: await org.person({ role: 'ADMIN' }),
    clerk: await org.person({ permissions: ['STUDIO_VIEW'] }),
    stranger: await (await server.organization()).person({ role: 'OWNER' }),
    receiver: await openReceiver(),
  }
}
