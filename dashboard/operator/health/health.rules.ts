import type { readHealth } from '#contract/identity/health.ts'
import type { Reply } from '#contract/route.ts'

export type ServerHealth = Reply<typeof readHealth>
/** `good`: nothing to do. `watch`: it may end by itself. `bad`: somebody must act. */
export type HealthState = 'good' | 'watch' | 'bad'
export const healthChecks = [
  'relay',
  'quarantine',
  'workers',
  'deliveries',
  'mailQueue',
  'refusedMails',
  'payments',
  'jobs',
  'disks',
] as const
export type HealthCheckId = (typeof healthChecks)[number]
export type HealthCheck = { id: HealthCheckId; state: HealthState }

/** The thresholds, in seconds and parts of the whole: up to the first all is good, up to the second it is watched. */
export const thresholds = {
  relaySeconds: [5, 60],
  deliverySeconds: [30, 300],
  mailSeconds: [300, 3_600],
  diskFree: [0.15, 0.05],
  /** Jobs run at least each ten minutes, and a run is recorded at most once a minute. */
  jobSeconds: 900,
} as const

const above = (value: number, [good, watched]: readonly [number, number]): HealthState =>
  value <= good ? 'good' : value <= watched ? 'watch' : 'bad'

export type Job = ServerHealth['jobs'][number]
export type JobState = 'good' | 'failed' | 'late'

/** How a job stands: its last run failed, or it has not run for longer than any job pauses. */
export function jobState({ ranAt, failedAt }: Job, at: string): JobState {
  if (failedAt !== null && Date.parse(failedAt) >= Date.parse(ranAt)) return 'failed'
  return Date.parse(at) - Date.parse(ranAt) > thresholds.jobSeconds * 1_000 ? 'late' : 'good'
}

/** The free part of a disk, from 0 to 1. */
export function freePart({ freeBytes, totalBytes }: ServerHealth['disks'][number]): number {
  return totalBytes === 0 ? 1 : freeBytes / totalBytes
}

/** How a disk stands. */
export function diskState(disk: ServerHealth['disks'][number]): HealthState {
  const free = freePart(disk)
  const [good, watched] = thresholds.diskFree
  return free >= good ? 'good' : free >= watched ? 'watch' : 'bad'
}

/** The age of the oldest queued mail, in seconds; 0 without one. */
export function oldestMailSeconds({ at, mails }: ServerHealth): number {
  return mails.oldestAt === null ? 0 : Math.max(0, (Date.parse(at) - Date.parse(mails.oldestAt)) / 1_000)
}

const order: readonly HealthState[] = ['good', 'watch', 'bad']

/** The worst of some states; good without any. */
export function worstOf(states: readonly HealthState[]): HealthState {
  return order[Math.max(0, ...states.map(state => order.indexOf(state)))] ?? 'good'
}

/** Judges each part of the server, in the order of the screen. */
export function checksOf(health: ServerHealth): HealthCheck[] {
  const { relay, webhooks, mails, payments, jobs, disks, at } = health
  const states: Readonly<Record<HealthCheckId, HealthState>> = {
    relay: worstOf([
      above(relay.oldestSeconds, thresholds.relaySeconds),
      relay.freeLeases > 0 ? 'watch' : 'good',
    ]),
    quarantine: relay.quarantined > 0 ? 'bad' : 'good',
    workers: webhooks.shardsWithoutOwner > 0 ? 'bad' : 'good',
    deliveries: above(webhooks.oldestDueSeconds, thresholds.deliverySeconds),
    mailQueue: worstOf([
      above(oldestMailSeconds(health), thresholds.mailSeconds),
      mails.failing > 0 ? 'watch' : 'good',
    ]),
    refusedMails: mails.refused > 0 ? 'watch' : 'good',
    payments: payments.stuckCharges + payments.stuckRefunds > 0 ? 'bad' : 'good',
    jobs: worstOf(jobs.map(job => stateOfJob[jobState(job, at)])),
    disks: worstOf(disks.map(diskState)),
  }
  return healthChecks.map(id => ({ id, state: states[id] }))
}

const stateOfJob: Readonly<Record<JobState, HealthState>> = { good: 'good', failed: 'bad', late: 'watch' }
