import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, itemAt, only } from '#tests/support/elements.ts'
import { openWebhookHarness, type WebhookHarness } from '#tests/support/integrations/webhook-harness.ts'
import type { TestEndpoint } from '#tests/support/integrations/webhooks.ts'
import { log } from '#tests/support/stream-app.ts'
import { openDispatchDatabase } from '../../engine.ts'
import { takeShards } from '../../shards/shard.sql.ts'
import { fewestShards } from '../../shards/shard.ts'
import { type AttemptOutcome, decideNext } from '../sending/attempt-outcome.ts'
import {
  type AttemptResultRow,
  firstAttemptArgs,
  recordFirstAttempts,
  recordRetries,
  retryArgs,
} from './attempt-result.sql.ts'

// Records of one delivery by owners that are overtaken, return and repeat themselves, compared with a model.

let harness: WebhookHarness
let database: Database
let to: TestEndpoint
beforeAll(async () => {
  harness = await openWebhookHarness()
  database = await openDispatchDatabase(harness.url, log)
  to = await harness.endpoint('/')
})
afterAll(async () => {
  await database?.close()
  await harness?.close()
})

type Known = { attempt: number; retries: number }
type Owner = { name: string; epoch: number; knows: Known | undefined }
type Model = {
  owner: Owner | undefined
  owners: Owner[]
  due: Known | undefined
  status: string
  recorded: number
}
type Step =
  | { kind: 'take' }
  | { kind: 'answer'; who: number; outcome: AttemptOutcome; status: number | null; ageMs: number }
  | { kind: 'load'; who: number }

const outcomes: [AttemptOutcome, number | null][] = [
  ['DELIVERED', 204],
  ['HTTP_STATUS', 500],
  ['HTTP_STATUS', 400],
  ['TIMEOUT', null],
  ['REDIRECT', 302],
]
const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'take' }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('load' as const), who: fc.nat(3) }) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(
          fc.nat(3),
          fc.constantFrom(...outcomes, itemAt(outcomes, 3), itemAt(outcomes, 1)),
          fc.nat(9_000),
        )
        .map(([who, [outcome, status], ageMs]): Step => ({ kind: 'answer', who, outcome, status, ageMs })),
    },
  ),
  { minLength: 1, maxLength: 25 },
)

async function answer(id: string, owner: Owner, step: Step & { kind: 'answer' }): Promise<number> {
  const { attempt, retries } = defined(owner.knows)
  const { final, waitMs } = decideNext(step.outcome, step.status, { retries, trigger: 'AUTOMATIC' })
  const row: AttemptResultRow = {
    shard: to.shard,
    epoch: owner.epoch,
    organizationId: to.organizationId,
    applicationId: to.id,
    deliveryId: id,
    attempt,
    agoMs: step.ageMs,
    durationMs: 7,
    waitMs,
    final,
    outcome: step.outcome,
    status: step.status,
    record: {
      trigger: 'AUTOMATIC',
      durationMs: 7,
      timings: null,
      outcome: step.outcome,
      status: step.status,
      answer: null,
      answerHeaders: {},
      address: '::1',
      secretId: null,
      error: 'an "error", of {many} parts',
    },
  }
  const range = { shard: to.shard, applicationId: to.id, firstId: id, lastId: id }
  const { recorded } = defined(
    await (attempt === 1
      ? database.crossTenant.first(recordFirstAttempts, firstAttemptArgs(owner.name, [row], [range]))
      : database.crossTenant.first(recordRetries, retryArgs(owner.name, [row]))),
  )
  return recorded?.length ?? 1
}

it('never has more than five attempts, never ends twice, and accepts only the current owner of the shard', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async plan => {
      const [id = ''] = await harness.due(to)
      const model: Model = {
        owner: undefined,
        owners: [],
        due: { attempt: 1, retries: 0 },
        status: 'PENDING',
        recorded: 0,
      }
      for (const step of [{ kind: 'take' }, { kind: 'load', who: 0 }, ...plan] as Step[]) {
        const owner =
          step.kind === 'take' ? undefined : model.owners[step.who % Math.max(1, model.owners.length)]
        if (step.kind === 'take') {
          await harness.sql(`update dispatch_shard set lease_until = '-infinity' where shard = $1`, [
            to.shard,
          ])
          await harness.sql(`update dispatch_shard set lease_until = 'infinity' where shard <> $1`, [
            to.shard,
          ])
          // a process that takes a shard again has the same name and a new epoch
          const name = `owner ${model.owners.length % 2}`
          const taken = only(
            await database.crossTenant.rows(takeShards, {
              owner: name,
              seconds: 60,
              most: 1,
              shardCount: fewestShards,
            }),
          )
          expect(taken.shard).toBe(to.shard)
          model.owner = { name, epoch: taken.epoch, knows: undefined }
          model.owners.push(model.owner)
        } else if (step.kind === 'load' && owner) {
          owner.knows = model.due && { ...model.due }
        } else if (step.kind === 'answer' && owner?.knows) {
          const isCounted = owner === model.owner && owner.knows.attempt === model.due?.attempt
          const { retries } = owner.knows
          const { final, waitMs } = decideNext(step.outcome, step.status, { retries, trigger: 'AUTOMATIC' })
          expect(await answer(id, owner, step)).toBe(isCounted ? 1 : 0)
          if (!isCounted) continue
          model.recorded++
          if (waitMs === null) {
            model.due = undefined
            model.status = final
          } else {
            model.due = { attempt: defined(model.due).attempt + 1, retries: defined(model.due).retries + 1 }
            const [{ inMs } = { inMs: 0 }] = await harness.sql<{ inMs: number }>(
              `select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as "inMs" from webhook_due where delivery_id = $1`,
              [id],
            )
            // by the clock of the database, from the end of the attempt, however late the result
            expect(inMs).toBeLessThan(waitMs - step.ageMs + 2)
            expect(inMs).toBeGreaterThan(waitMs - step.ageMs - 1_000 * crowd())
          }
        }
        await compare(id, model)
      }
      await harness.sql('delete from webhook_due where delivery_id = $1', [id])
      await harness.sql('delete from webhook_new_range where first_id = $1', [id])
    }),
    { numRuns: 150 },
  )
})

async function compare(id: string, model: Model): Promise<void> {
  const [row] = await harness.sql<Record<string, unknown>>(
    `select d.status, d.attempts, d.finished_at is not null as finished,
       coalesce(w.attempt, case when f.first_id is not null then 1 end) as attempt,
       coalesce(w.retries, case when f.first_id is not null then 0 end) as retries,
       (d.first_record is not null)::int
         + (select count(*)::int from webhook_attempt a where a.organization_id = d.organization_id and a.delivery_id = d.id) as recorded
     from webhook_delivery d left join webhook_due w on w.organization_key = d.organization_id and w.delivery_id = d.id
     left join webhook_new_range f on f.organization_key = d.organization_id and f.first_id = d.id where d.id = $1`,
    [id],
  )
  expect(model.recorded).toBeLessThanOrEqual(5)
  expect(row).toEqual({
    status: model.status,
    attempts: model.recorded,
    finished: model.status !== 'PENDING',
    attempt: model.due?.attempt ?? null,
    retries: model.due?.retries ?? null,
    recorded: model.recorded,
  })
}
