import { durationText } from '../../parts/time-text.ts'
import type { Language } from '../../words/words.ts'
import { type HealthCheckId, jobState, oldestMailSeconds, type ServerHealth } from './health.rules.ts'
import type { healthTexts } from './health.words.ts'

type Texts = (typeof healthTexts)['es']
type Part = string | false
/** Of these, nothing waits; of the others, there is none. */
const queues: readonly HealthCheckId[] = ['relay', 'deliveries', 'mailQueue']

/** The figures of one part in words, such as “3 sec behind, 12 changes wait”. */
export function figuresOf(
  id: Exclude<HealthCheckId, 'disks'>,
  health: ServerHealth,
  text: Texts,
  language: Language,
): string {
  const { relay, webhooks, mails, payments } = health
  const behind = (seconds: number): Part => seconds > 0 && text.behind(durationText(seconds, language))
  const parts: Readonly<Record<Exclude<HealthCheckId, 'disks'>, () => readonly Part[]>> = {
    relay: () => [
      behind(relay.oldestSeconds),
      relay.pending > 0 && text.pending(relay.pending),
      relay.freeLeases > 0 && text.freeLeases(relay.freeLeases),
    ],
    quarantine: () => [relay.quarantined > 0 && text.quarantined(relay.quarantined)],
    workers: () => [webhooks.shardsWithoutOwner > 0 ? text.unowned(webhooks.shardsWithoutOwner) : text.owned],
    deliveries: () => [
      behind(webhooks.oldestDueSeconds),
      webhooks.endpointsBehind > 0 && text.endpoints(webhooks.endpointsBehind),
      webhooks.scheduledDeliveries > 0 && text.scheduled(webhooks.scheduledDeliveries),
      webhooks.pausedEndpoints > 0 && text.paused(webhooks.pausedEndpoints),
    ],
    mailQueue: () => [
      behind(oldestMailSeconds(health)),
      mails.queued > 0 && text.queued(mails.queued),
      mails.failing > 0 && text.failing(mails.failing),
    ],
    refusedMails: () => [mails.refused > 0 && text.refused(mails.refused)],
    payments: () => [
      payments.stuckCharges > 0 && text.stuckCharges(payments.stuckCharges),
      payments.stuckRefunds > 0 && text.stuckRefunds(payments.stuckRefunds),
    ],
    jobs: () => jobParts(health, text),
  }
  const shown = parts[id]().filter(part => part !== false)
  if (shown.length > 0) return shown.join(', ')
  return queues.includes(id) ? text.nothing : text.none
}

function jobParts({ jobs, at }: ServerHealth, text: Texts): readonly Part[] {
  const count = (state: ReturnType<typeof jobState>) => jobs.filter(job => jobState(job, at) === state).length
  const [failed, late, good] = [count('failed'), count('late'), count('good')]
  return [
    failed > 0 && text.failedJobs(failed),
    late > 0 && text.lateJobs(late),
    good > 0 && text.jobCount(good),
  ]
}
