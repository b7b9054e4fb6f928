import type { Entry, EntryStatus } from '#contract/marketplace/entries.ts'
import type { Step } from '../../parts/timeline.tsx'

/** The kind of submission that an entry allows now; `waits`: a decision must come first. */
export type NextSubmission = 'again' | 'update' | 'waits'

export function nextSubmissionOf({
  status,
  pendingRelease,
}: Pick<Entry, 'status' | 'pendingRelease'>): NextSubmission {
  if (status === 'REJECTED' || status === 'ARCHIVED') return 'again'
  if (status === 'PENDING' || status === 'UNDER_REVIEW') return 'waits'
  return pendingRelease?.status === 'UNDER_REVIEW' ? 'waits' : 'update'
}

type StepTexts = Readonly<
  Record<'stepSubmitted' | 'stepReview' | 'stepListed' | 'stepRejected' | 'stepWithdrawn', string>
>
type EntryStep = Pick<Step, 'id' | 'title' | 'state'>

/** The states of an entry from its submission to where it is now, or to the catalogue. */
export function entryStepsOf(status: EntryStatus, text: StepTexts): EntryStep[] {
  const step = (id: string, title: string, state: Step['state']): EntryStep => ({ id, title, state })
  const submitted = step('submitted', text.stepSubmitted, 'done')
  switch (status) {
    case 'PENDING':
      return [
        step('submitted', text.stepSubmitted, 'next'),
        step('review', text.stepReview, 'later'),
        step('listed', text.stepListed, 'later'),
      ]
    case 'UNDER_REVIEW':
      return [submitted, step('review', text.stepReview, 'next'), step('listed', text.stepListed, 'later')]
    case 'REJECTED':
      return [submitted, step('review', text.stepReview, 'done'), step('rejected', text.stepRejected, 'next')]
    case 'ARCHIVED':
      return [submitted, step('withdrawn', text.stepWithdrawn, 'next')]
    default:
      return [submitted, step('review', text.stepReview, 'done'), step('listed', text.stepListed, 'done')]
  }
}

/** The tags in a text with commas, each once. */
export function tagsOf(text: string): string[] {
  return [...new Set(text.split(',').map(tag => tag.trim()))].filter(tag => tag !== '')
}

/** The state of the list in the address. */
export type MineSearch = { scope?: 'organization'; open?: string }

export function mineSearchOf(given: Record<string, unknown>): MineSearch {
  return {
    ...(given.scope === 'organization' && { scope: 'organization' as const }),
    ...(typeof given.open === 'string' && { open: given.open }),
  }
}

/** The input of `listEntries`. */
export function mineInputOf({ scope }: Pick<MineSearch, 'scope'>) {
  return { query: scope === 'organization' ? { organization: true } : { mine: true } }
}
