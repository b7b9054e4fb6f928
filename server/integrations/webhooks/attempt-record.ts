import type { AttemptRecord } from '#contract/integrations/deliveries.ts'

type Timings = NonNullable<AttemptRecord['timings']>
type PartialOrUndefined<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined }

/** An attempt as it is stored: without fields that have their usual value. */
export type StoredAttemptRecord = Pick<AttemptRecord, 'durationMs'> &
  PartialOrUndefined<Omit<AttemptRecord, 'durationMs' | 'timings'>> & {
    timings?: PartialOrUndefined<Timings> | null | undefined
  }

const defaults = {
  trigger: 'AUTOMATIC',
  outcome: 'DELIVERED',
  status: null,
  answer: null,
  answerHeaders: {},
  address: null,
  secretId: null,
  error: null,
} as const
const zeroTimings: Timings = { dns: 0, connect: 0, tls: 0, firstByte: 0, rest: 0 }

/** Leaves out usual values: JSON omits fields that are undefined. */
export function toStoredRecord(record: AttemptRecord): StoredAttemptRecord {
  const { trigger, outcome, answer, answerHeaders, error, timings } = record
  const { dns, connect, tls, firstByte, rest } = timings ?? zeroTimings
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
    trigger: trigger === defaults.trigger ? undefined : trigger,
    outcome: outcome === defaults.outcome ? undefined : outcome,
    answer: answer ?? undefined,
    answerHeaders: isEmpty(answerHeaders) ? undefined : answerHeaders,
    error: error ?? undefined,
  }
}

function isEmpty(object: object | null): boolean {
  for (const _ in object ?? {}) return false
  return true
}

/** Restores the usual values of a stored attempt. */
export function toAttemptRecord({ timings, ...stored }: StoredAttemptRecord): AttemptRecord {
  return { ...defaults, ...stored, timings: { ...zeroTimings, ...timings } } as AttemptRecord
}
