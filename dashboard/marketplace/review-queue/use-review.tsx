import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { listSubmissions, type SubmissionDetail, startReview } from '#contract/marketplace/review-queue.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { useIsPhone } from '../../parts/phone.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { PlacedFinding } from '../release/finding.rules.ts'
import type { ReleaseSearch } from '../release/release-search.ts'
import { Listing, type ListingDialog } from './listing.tsx'
import styles from './queue.module.css'
import { isWaiting, nextFinding } from './queue.rules.ts'
import { queueTexts } from './queue.words.ts'
import { queueInputOf } from './queue-search.ts'

const ApproveDialog = late(() => import('./decision-dialogs.tsx').then(dialogs => dialogs.ApproveDialog))
const RejectDialog = late(() => import('./decision-dialogs.tsx').then(dialogs => dialogs.RejectDialog))
const FeatureDialog = late(() => import('./listing-dialogs.tsx').then(dialogs => dialogs.FeatureDialog))
const DelistDialog = late(() => import('./listing-dialogs.tsx').then(dialogs => dialogs.DelistDialog))

type ReviewProps = {
  submission: SubmissionDetail
  /** Another release than the one that the operator read waits now. */
  isChanged: boolean
  findings: readonly PlacedFinding[]
  search: ReleaseSearch
  onOpen: (search: ReleaseSearch) => void
}

/** The actions of an operator on a submission: keys, buttons, dialogs. */
export function useReview({ submission, isChanged, findings, search, onOpen }: ReviewProps): {
  actions: ReactNode
  dialogs: ReactNode
  listing: ReactNode
} {
  const text = useWords(queueTexts)
  const isPhone = useIsPhone()
  const { caller } = useOrganization()
  const [open, setOpen] = useState<'approve' | 'reject' | ListingDialog>()
  const queue = useQueue(submission.entryId)
  const begin = useStart(submission)
  const isOwn = submission.submittedBy.id === caller.person.id
  const mayDecide = isWaiting(submission) && !isOwn
  const isReady = mayDecide && !isChanged
  const following = nextFinding(findings, search.finding)
  const goToFinding = () =>
    following && onOpen({ ...(following.part && { part: following.part }), finding: following.id })
  useShortcuts(
    {
      n: following ? { label: text.next, action: goToFinding } : undefined,
      a: isReady ? { label: text.approve, action: () => setOpen('approve') } : undefined,
      r: isReady ? { label: text.reject, action: () => setOpen('reject') } : undefined,
      s:
        mayDecide && submission.status === 'PENDING' ? { label: text.start, action: begin.start } : undefined,
      '[': queue.onPrevious && { label: text.previousOne, action: queue.onPrevious },
      ']': queue.onNext && { label: text.nextOne, action: queue.onNext },
    },
    text.submission,
  )
  const close = () => setOpen(undefined)
  const current = findings.find(({ id }) => id === search.finding)
  const decision = { submission, onClose: close, onDecided: queue.goOn }
  return {
    actions: (
      <>
        {!isPhone && <QueueButtons queue={queue} />}
        {!isPhone && following && (
          <Button kind="quiet" shortcut="n" onPress={goToFinding}>
            {text.next}
          </Button>
        )}
        {!isPhone && mayDecide && submission.status === 'PENDING' && (
          <Button shortcut="s" isBusy={begin.isBusy} onPress={begin.start}>
            {text.start}
          </Button>
        )}
        {mayDecide && (
          <span className={styles.decide} title={isChanged ? text.mustRead : undefined}>
            <Button
              {...(!isPhone && { shortcut: 'r' })}
              isDisabled={isChanged}
              onPress={() => setOpen('reject')}
              onHoverStart={RejectDialog.preload}
            >
              {text.reject}
            </Button>
            <Button
              kind="primary"
              {...(!isPhone && { shortcut: 'a' })}
              isDisabled={isChanged}
              onPress={() => setOpen('approve')}
              onHoverStart={ApproveDialog.preload}
            >
              {text.approve}
            </Button>
          </span>
        )}
      </>
    ),
    dialogs: (
      <>
        {open === 'approve' && <ApproveDialog {...decision} />}
        {open === 'reject' && <RejectDialog {...decision} findings={current ? [current] : findings} />}
        {open === 'feature' && <FeatureDialog submission={submission} onClose={close} />}
        {open === 'delist' && <DelistDialog submission={submission} onClose={close} />}
      </>
    ),
    listing: <Listing submission={submission} isOwn={isOwn} onAsk={setOpen} />,
  }
}

function useStart({ entryId }: SubmissionDetail): { start: () => void; isBusy: boolean } {
  const text = useWords(queueTexts)
  const language = useLanguage()
  const { mutateAsync, isPending } = useAction(startReview)
  async function start(): Promise<void> {
    try {
      await mutateAsync({ params: { entryId } })
      showToast({ text: text.started })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  return { start: () => void start(), isBusy: isPending }
}

type Queue = ReturnType<typeof useQueue>

/** The place of a submission among those that wait. */
function useQueue(entryId: string) {
  const navigate = useNavigate()
  const { items, total = 0 } = useList(listSubmissions, queueInputOf({}), { staleMs: 0 })
  const index = items.findIndex(one => one.entryId === entryId)
  const open = (id: string) => void navigate({ href: `/operator/submissions/${id}` })
  const neighbours = neighboursOf(items, index, one => open(one.entryId))
  return {
    ...neighbours,
    index,
    total,
    /** After a decision: the next one that waits, or the list. */
    goOn: () => (neighbours.onNext ? neighbours.onNext() : void navigate({ href: '/operator/submissions' })),
  }
}

function QueueButtons({ queue: { index, total, onPrevious, onNext } }: { queue: Queue }) {
  const text = useWords(queueTexts)
  if (index === -1) return null
  return (
    <>
      <span className={styles.quiet}>{text.position(index + 1, total)}</span>
      <IconButton
        icon="chevronUp"
        label={text.previousOne}
        shortcut="["
        isDisabled={!onPrevious}
        onPress={() => onPrevious?.()}
      />
      <IconButton
        icon="chevronDown"
        label={text.nextOne}
        shortcut="]"
        isDisabled={!onNext}
        onPress={() => onNext?.()}
      />
    </>
  )
}
