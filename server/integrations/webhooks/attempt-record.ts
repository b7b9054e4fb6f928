import type { AttemptRecord } from '#contract/integrations/deliveries.ts'

type Timings = NonNullable<AttemptRecord['timings']>
type Some<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined }

/** An attempt as it is written down: without what nearly all say alike. */
export type KeptRecord = Pick<AttemptRecord, 'durationMs'> &
  Some<Omit<AttemptRecord, 'durationMs' | 'timings'>> & { timings?: Some<Timings> | null | undefined }

const usual = {
  trigger: 'AUTOMATIC',
  outcome: 'DELIVERED',
  status: null,
  answer: null,
  answerHeaders: {},
  address: null,
  secretId: null,
  error: null,
} as const
const noTime: Timings = { dns: 0, connect: 0, tls: 0, firstByte: 0, rest: 0 }

/** What is written down of an attempt: a field that is undefined has no place in JSON. */
export function keptOf(record: AttemptRecord): KeptRecord {
  const { trigger, outcome, answer, answerHeaders, error, timings } = record
  const { dns, connect, tls, firstByte, rest } = timings ?? noTime
  return {
    durationMs: record.durationMs,
    status: record.status,
    address: record.address,
    secretId: record.secretId,
    timings: {
      dns: dns || undefined,
      connect: connect || undefined,
      tls: tls || undefined,
      firstByte: firstByte || undefined,
      rest: rest || undefined,
    },
    trigger: trigger === usual.trigger ? undefined : trigger,
    outcome: outcome === usual.outcome ? undefined : outcome,
    answer: answer ?? undefined,
    answerHeaders: isEmpty(answerHeaders) ? undefined : answerHeaders,
    error: error ?? undefined,
  }
}

function isEmpty(of: object | null): boolean {
  for (const _ in of ?? {}) return false
  return true
}

/** An attempt as it was. */
export function wholeRecord({ timings, ...kept }: KeptRecord): AttemptRecord {
  return { ...usual, ...kept, timings: { ...noTime, ...timings } } as AttemptRecord
}
