import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openWebhookHarness, type WebhookHarness } from './webhook-harness.ts'
import { signInSecret, type TestEndpoint } from './webhooks.ts'

/** A webhook harness whose dispatchers are processes that tests kill and stop. */
export type DispatcherHarness = {
  readonly webhooks: WebhookHarness
  /** Starts a dispatcher, on the database of the harness or at another address of it. A delivery that contains `crashText` ends it. */
  start(url?: string, crashText?: string): ChildProcess
  stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void>
  /** Creates endpoints with this many deliveries each. */
  fill(endpoints: number, each: number, options?: { ordered?: boolean }): Promise<TestEndpoint[]>
  audit(): Promise<DeliveryAudit>
  close(): Promise<void>
}

/** How often each delivery was received and recorded, and how many were received more often. */
export type DeliveryAudit = {
  rows: { id: string; status: string; attempts: number; recorded: number }[]
  received: Map<string, number>
  extra: number
}

/** The duration of a lease. */
export const leaseMs = 1_500
/** Concurrent requests of one process. */
export const maxInFlight = 64

const program = fileURLToPath(new URL('../../faults/dispatch-process.ts', import.meta.url))

/** Opens a harness without dispatchers. */
export async function openDispatcherHarness(): Promise<DispatcherHarness> {
  const webhooks = await openWebhookHarness()
  const running = new Set<ChildProcess>()

  return {
    webhooks,
    start(url = webhooks.url, crashText = '') {
      const args = [program, url, String(leaseMs), signInSecret, crashText]
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] })
      running.add(child)
      child.once('exit', () => running.delete(child))
      return child
    },
    async stop(child, signal) {
      child.kill(signal)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    async fill(endpoints, each, options = {}) {
      const all: TestEndpoint[] = []
      for (let n = 0; n < endpoints; n++) {
        const to = await webhooks.endpoint(`/${n}/`, options)
        all.push(to)
        await webhooks.due(to, each)
      }
      return all
    },
    async audit() {
      const received = new Map<string, number>()
      for (const { deliveryId } of webhooks.receiver.received)
        received.set(deliveryId, (received.get(deliveryId) ?? 0) + 1)
      const rows = await webhooks.sql<DeliveryAudit['rows'][number]>(
        `select d.id, d.status, d.attempts, (d.first_record is not null)::int + (select count(*)::int from webhook_attempt a
           where a.organization_id = d.organization_id and a.delivery_id = d.id) as recorded
         from webhook_delivery d`,
      )
      const extra = rows.reduce((sum, row) => sum + (received.get(row.id) ?? 0) - row.recorded, 0)
      return { rows, received, extra }
    },
    async close() {
      for (const child of running) child.kill('SIGKILL')
      await webhooks.close()
    },
  }
}
