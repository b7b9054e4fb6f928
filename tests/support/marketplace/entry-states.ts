import { expect } from 'vitest'
import { readEntry, submitEntry, updateEntry, withdrawEntry } from '#contract/marketplace/entries.ts'
import {
  approveSubmission,
  delistEntry,
  featureEntry,
  listSubmissions,
  readSubmission,
  rejectSubmission,
  startReview,
} from '#contract/marketplace/review-queue.ts'
import { updateAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { defined } from '../elements.ts'
import { makeAsset } from '../studio/assets.ts'
import type { Person, TestServer } from '../test-server.ts'

// A model of the statuses of marketplace entries, compared with real entries

/** An author, a person of another organization and an operator. */
export type EntryStateFixtures = { server: TestServer; author: Person; stranger: Person; operator: Person }

export async function openEntryStateFixtures(server: TestServer): Promise<EntryStateFixtures> {
  const author = await (await server.organization({ features: ['marketplace'] })).person({ role: 'ADMIN' })
  const stranger = await (await server.organization({ features: ['marketplace'] })).person()
  return { server, author, stranger, operator: await server.operator() }
}

/** The state table as a model. Versions count from 1; `release` counts submissions. */
type State = {
  status: 'PENDING' | 'UNDER_REVIEW' | 'APPROVED' | 'REJECTED' | 'ARCHIVED' | null
  published: number
  listed: number | null
  waiting: { version: number; isStarted: boolean; release: number } | null
  release: number
}
type StepOutcome = { answer: string; state: State; event?: string }
type Step = (state: State, seen: number) => StepOutcome

const refused = (state: State, answer: string): StepOutcome => ({ state, answer })
export const steps: Record<string, Step> = {
  submit(state) {
    const { status, waiting, published, listed } = state
    const isOpen = status === 'PENDING' || status === 'UNDER_REVIEW' || waiting?.isStarted
    const isOld = status === 'APPROVED' && published === (waiting?.version ?? listed)
    if (isOpen || isOld) return refused(state, '409 ENTRY_ALREADY_SUBMITTED')
    const release = state.release + 1
    return {
      answer: '201',
      state: {
        ...state,
        status: listed ? 'APPROVED' : 'PENDING',
        waiting: { version: published, isStarted: false, release },
        release,
      },
    }
  },
  withdraw(state) {
    const after = { ...state, status: 'ARCHIVED', listed: null, waiting: null } as const
    return { answer: '200', state: after, ...(state.listed && { event: 'archived' }) }
  },
  retag: state =>
    state.status === 'ARCHIVED' ? refused(state, '409 ENTRY_ARCHIVED') : { answer: '200', state },
  start(state) {
    if (!state.waiting) return refused(state, '409 ENTRY_NOT_IN_REVIEW')
    if (state.waiting.isStarted) return refused(state, '409 REVIEW_STARTED')
    const status = state.listed ? 'APPROVED' : 'UNDER_REVIEW'
    return {
      answer: '200',
      state: { ...state, status, waiting: { ...state.waiting, isStarted: true } },
      event: 'under-review',
    }
  },
  approve(state, seen) {
    if (!state.waiting) return refused(state, '409 ENTRY_NOT_IN_REVIEW')
    if (state.waiting.release !== seen) return refused(state, '409 RELEASE_CHANGED')
    const after = { ...state, status: 'APPROVED', listed: state.waiting.version, waiting: null } as const
    return { answer: '200', state: after, event: 'approved' }
  },
  reject(state, seen) {
    if (!state.waiting) return refused(state, '409 ENTRY_NOT_IN_REVIEW')
    if (state.waiting.release !== seen) return refused(state, '409 RELEASE_CHANGED')
    const status = state.listed ? 'APPROVED' : 'REJECTED'
    return { answer: '200', state: { ...state, status, waiting: null }, event: 'rejected' }
  },
  feature: state =>
    state.listed ? { answer: '200', state, event: 'featured' } : refused(state, '400 ENTRY_NOT_APPROVED'),
  delist(state) {
    if (!state.listed) return refused(state, '400 ENTRY_NOT_APPROVED')
    return {
      answer: '200',
      state: { ...state, status: 'ARCHIVED', listed: null, waiting: null },
      event: 'archived',
    }
  },
}
export type StepName = keyof typeof steps

/** A real entry with its model. */
export type EntryCase = {
  fixtures: EntryStateFixtures
  assetId: string
  entryId: string
  releaseId: string
  state: State
}

const reason = 'Because this test says so.'
const category = 'OTHER' as const

/** Takes a step. Returns status and error code. */
export async function takeStep(entryCase: EntryCase, step: StepName): Promise<string> {
  const { author, operator } = entryCase.fixtures
  const { releaseId } = entryCase
  const params = { entryId: entryCase.entryId }
  const own = { params: { id: entryCase.entryId } }
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const call = () => {
    switch (step) {
      case 'submit':
        return author.send(submitEntry, {
          body: { assetId: entryCase.assetId, category, acceptPolicy: true },
        })
      case 'withdraw':
        return author.send(withdrawEntry, own)
      case 'retag':
        return author.send(updateEntry, { ...own, body: { tags: ['x'] } })
      case 'start':
        return operator.send(startReview, { params })
      case 'approve':
        return operator.send(approveSubmission, { params, body: { releaseId } })
      case 'reject':
        return operator.send(rejectSubmission, { params, body: { releaseId, reason } })
      case 'feature':
        return operator.send(featureEntry, { params, body: { until } })
      default:
        return operator.send(delistEntry, { params, body: { reason } })
    }
  }
  const { status, body } = await call()
  const { errorCode } = (body ?? {}) as { errorCode?: string }
  return errorCode ? `${status} ${errorCode}` : String(status)
}

/** Takes a step that must succeed, and updates the model. */
async function takeExpectedStep(entryCase: EntryCase, step: StepName): Promise<void> {
  const { answer, state } = defined(steps[step])(entryCase.state, entryCase.state.release)
  expect(await takeStep(entryCase, step)).toBe(answer)
  entryCase.state = state
  if (step === 'submit')
    entryCase.releaseId = (
      await entryCase.fixtures.operator.call(readSubmission, { params: { entryId: entryCase.entryId } })
    ).releaseId
}

async function publishVersion(entryCase: EntryCase): Promise<void> {
  const params = { id: entryCase.assetId }
  entryCase.state = { ...entryCase.state, published: entryCase.state.published + 1 }
  await entryCase.fixtures.author.call(updateAsset, {
    params,
    body: { bodyMarkdown: `Version ${entryCase.state.published}` },
  })
  await entryCase.fixtures.author.call(publishAsset, { params })
}

async function openCase(fixtures: EntryStateFixtures): Promise<EntryCase> {
  const { author, operator, server } = fixtures
  const { id: assetId } = await makeAsset(author, { visibility: 'ORGANIZATION', bodyMarkdown: 'Version 1' })
  await author.call(publishAsset, { params: { id: assetId } })
  await server.sql('delete from rate_window')
  const entry = await author.call(submitEntry, { body: { assetId, category, acceptPolicy: true } })
  const { releaseId } = await operator.call(readSubmission, { params: { entryId: entry.id } })
  const waiting = { version: 1, isStarted: false, release: 1 }
  const state: State = { status: 'PENDING', published: 1, listed: null, waiting, release: 1 }
  return { fixtures, assetId, entryId: entry.id, releaseId, state }
}

/** Steps that work; `news` publishes another version. */
type Path = (StepName | 'news')[]

/** The steps to each state. */
export const states: Record<string, Path> = {
  PENDING: [],
  UNDER_REVIEW: ['start'],
  APPROVED: ['approve'],
  'APPROVED, started before': ['start', 'approve'],
  'APPROVED with a newer version': ['approve', 'news'],
  'APPROVED with a waiting update': ['approve', 'news', 'submit'],
  'APPROVED with an update under review': ['approve', 'news', 'submit', 'start'],
  'APPROVED with a waiting update and a newer version': ['approve', 'news', 'submit', 'news'],
  'APPROVED with a rejected update': ['approve', 'news', 'submit', 'reject'],
  'APPROVED with an approved update': ['approve', 'news', 'submit', 'approve'],
  REJECTED: ['reject'],
  'REJECTED, started before': ['start', 'reject'],
  'ARCHIVED before a decision': ['withdraw'],
  'ARCHIVED after approval': ['approve', 'withdraw'],
  'ARCHIVED with a waiting update': ['approve', 'news', 'submit', 'withdraw'],
  'ARCHIVED by an operator': ['approve', 'delist'],
  'PENDING again': ['approve', 'withdraw', 'submit'],
  'PENDING after a rejection': ['reject', 'submit'],
}

export async function entryInState(fixtures: EntryStateFixtures, path: Path): Promise<EntryCase> {
  const entryCase = await openCase(fixtures)
  for (const step of path)
    await (step === 'news' ? publishVersion(entryCase) : takeExpectedStep(entryCase, step))
  return entryCase
}

/** The real state, as the model describes it. */
export async function currentState({ fixtures: { author, stranger, operator }, entryId }: EntryCase) {
  const params = { id: entryId }
  const [own, theirs, queue] = await Promise.all([
    author.call(readEntry, { params }),
    stranger.send(readEntry, { params }),
    operator.call(listSubmissions, { query: { limit: 100 } }),
  ])
  const waits = queue.items.find(item => item.entryId === entryId)
  return {
    status: own.status,
    listed: theirs.status === 200 ? numberOf((theirs.body as { version: string }).version) : null,
    waiting: own.pendingRelease
      ? {
          version: numberOf(own.pendingRelease.version),
          isStarted: own.pendingRelease.status === 'UNDER_REVIEW',
        }
      : null,
    queued: waits ? { version: numberOf(waits.version), isStarted: waits.status === 'UNDER_REVIEW' } : null,
  }
}
/** `1.0.0` is the first version, each edit opens the next patch. */
const numberOf = (version: string) => Number(version.split('.')[2]) + 1

export function expectedState({ status, listed, waiting }: State) {
  const waits = waiting && { version: waiting.version, isStarted: waiting.isStarted }
  return { status, listed, waiting: waits, queued: waits }
}

/** The events about the entry so far. */
export async function emittedEventNames({ fixtures: { server }, entryId }: EntryCase): Promise<string[]> {
  await server.relayed()
  const rows = await server.sql<{ name: string }>(
    `select name from event where organization_id = 'marketplace' and data ->> 'entryId' = $1 order by seq`,
    [entryId],
  )
  return rows.map(({ name }) => name.replace('ai-marketplace.', ''))
}

export const stepNames = Object.keys(steps) as StepName[]

/** Withdraws the entry, so that it leaves the queue. */
export async function withdrawCase({ fixtures: { author }, entryId }: EntryCase): Promise<void> {
  await author.call(withdrawEntry, { params: { id: entryId } })
}

/** Two concurrent callers, every pair of steps: the result must equal one of the two orders. */
export async function tryPairs(fixtures: EntryStateFixtures, path: Path): Promise<void> {
  for (const [index, first] of stepNames.entries()) {
    for (const second of stepNames.slice(index)) {
      const entryCase = await entryInState(fixtures, path)
      const answers = await Promise.all([takeStep(entryCase, first), takeStep(entryCase, second)])
      const inOrder = (a: StepName, b: StepName) => {
        const one = defined(steps[a])(entryCase.state, entryCase.state.release)
        const two = defined(steps[b])(one.state, entryCase.state.release)
        const inThisOrder = a === first ? [one.answer, two.answer] : [two.answer, one.answer]
        return { pair: [first, second], answers: sorted(inThisOrder), state: expectedState(two.state) }
      }
      // the order of two callers of the same step is unknown
      const sorted = (list: string[]) => (first === second ? [...list].sort() : list)
      const real = { pair: [first, second], answers: sorted(answers), state: await currentState(entryCase) }
      expect([inOrder(first, second), inOrder(second, first)]).toContainEqual(real)
      await withdrawCase(entryCase)
    }
  }
}
