import { type Organization, openWorld, type Person, type TestWorld } from '../test-server.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** Who takes part where the record of a webhook is tested, and where its notices arrive. */
export type WebhookCast = {
  world: TestWorld
  org: Organization
  /** An administrator. */
  manager: Person
  /** Of the same organization, without the permission. */
  clerk: Person
  /** The owner of another organization. */
  stranger: Person
  receiver: Receiver
}

export async function openWebhookCast(): Promise<WebhookCast> {
  const world = await openWorld({ webhookNetworks: ['127.0.0.0/8', '::1/128'] })
  const org = await world.organization()
  return {
    world,
    org,
    manager: await org.person({ role: 'ADMIN' }),
    clerk: await org.person({ permissions: ['STUDIO_VIEW'] }),
    stranger: await (await world.organization()).person({ role: 'OWNER' }),
    receiver: await openReceiver(),
  }
}
