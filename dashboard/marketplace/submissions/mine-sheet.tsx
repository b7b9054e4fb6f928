import { type ReactNode, useState } from 'react'
import {
  type Entry,
  readEntry,
  submitEntry,
  updateEntry,
  withdrawEntry,
} from '#contract/marketplace/entries.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, type SheetProps, SheetSection } from '../../parts/sheet.tsx'
import { Rating } from '../../parts/stars.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Steps } from '../../parts/timeline.tsx'
import { useWords } from '../../words/words.ts'
import { SubmitDialog } from '../index.ts'
import { marketTexts } from '../marketplace.words.ts'
import { placeFindings } from '../release/finding.rules.ts'
import { FindingList } from '../release/findings.tsx'
import { EntryStatus } from './entry-status.tsx'
import { entryStepsOf, nextSubmissionOf } from './submission.rules.ts'
import { submissionTexts } from './submission.words.ts'
import styles from './submissions.module.css'

const EditDialog = late(() => import('./entry-dialogs.tsx').then(dialogs => dialogs.EditEntryDialog))
const WithdrawDialog = late(() => import('./entry-dialogs.tsx').then(dialogs => dialogs.WithdrawDialog))

type MineSheetProps = Pick<SheetProps, 'onClose' | 'onPrevious' | 'onNext'> & { id: string }

/** One's own entry: its status, why it was rejected, and the next step. */
export function MineSheet({ id, ...sheet }: MineSheetProps) {
  const text = useWords(submissionTexts)
  const market = useWords(marketTexts)
  const read = useRead(readEntry, { params: { id } })
  if (read.data) return <LoadedSheet entry={read.data} {...sheet} />
  return (
    <Sheet {...sheet} title={text.detail}>
      <ReadingSection error={read.error} label={market.reading} />
    </Sheet>
  )
}

function LoadedSheet({ entry, ...sheet }: Omit<MineSheetProps, 'id'> & { entry: Entry }) {
  const market = useWords(marketTexts)
  const { address } = useOrganization()
  const pageHref = `/o/${encodeURIComponent(address)}/marketplace/${entry.id}`
  const { primary, menu, dialogs } = useMineActions(entry)
  return (
    <>
      <Sheet
        {...sheet}
        title={entry.name}
        about={<EntryStatus status={entry.status} />}
        pageHref={pageHref}
        actions={primary}
        menu={<MoreMenu label={market.actions} groups={[{ id: 'actions', entries: menu }]} />}
      >
        <MineContent entry={entry} pageHref={pageHref} />
      </Sheet>
      {dialogs}
    </>
  )
}

function MineContent({ entry, pageHref }: { entry: Entry; pageHref: string }) {
  const text = useWords(submissionTexts)
  const market = useWords(marketTexts)
  const { status, pendingRelease, rejectionReason, findings = [] } = entry
  const placed = placeFindings(findings)
  return (
    <>
      <SheetSection>
        <div className={styles.stack}>
          <Steps label={text.steps} steps={entryStepsOf(status, text)} />
          {pendingRelease && status === 'APPROVED' && (
            <Notice>
              {(pendingRelease.status === 'UNDER_REVIEW' ? text.underReview : text.pending)(
                pendingRelease.version,
              )}{' '}
              <Time value={pendingRelease.submittedAt} />
            </Notice>
          )}
          {rejectionReason && !(status === 'APPROVED' && pendingRelease) && (
            <Notice kind={status === 'APPROVED' ? 'warn' : 'danger'}>
              <strong className={styles.strong}>
                {
                  {
                    REJECTED: text.rejectedBecause,
                    ARCHIVED: text.removedBecause,
                    APPROVED: text.updateRejected,
                    PENDING: text.rejectedBecause,
                    UNDER_REVIEW: text.rejectedBecause,
                  }[status]
                }
              </strong>
              <p className={styles.reason}>{rejectionReason}</p>
            </Notice>
          )}
          <Facts
            facts={[
              { term: market.version, value: entry.version },
              { term: market.category, value: market[entry.category] },
              { term: market.tags, value: entry.tags.join(', ') },
              { term: market.submitted, value: <Time value={entry.submittedAt} form="moment" /> },
              {
                term: market.approved,
                value: entry.approvedAt && <Time value={entry.approvedAt} form="moment" />,
              },
              {
                term: text.featuredUntil,
                value: entry.featuredUntil && <Time value={entry.featuredUntil} form="moment" />,
              },
              {
                term: market.rating,
                value: <Rating average={entry.ratingAverage} count={entry.ratingCount} />,
              },
              { term: market.installedBy, value: entry.installCount },
            ]}
          />
        </div>
      </SheetSection>
      {findings.length > 0 && (
        <SheetSection>
          <div className={styles.stack}>
            <h3 className={styles.title}>{text.findings}</h3>
            <FindingList
              findings={placed}
              hasAdvice
              {...(!pendingRelease && {
                hrefOf: ({ part, id }: (typeof placed)[number]) =>
                  `${pageHref}?part=${encodeURIComponent(part ?? '')}&finding=${id}`,
              })}
            />
          </div>
        </SheetSection>
      )}
    </>
  )
}

function useMineActions(entry: Entry): { primary: ReactNode; menu: MenuEntry[]; dialogs: ReactNode } {
  const text = useWords(submissionTexts)
  const may = useMay()
  const [open, setOpen] = useState<'edit' | 'withdraw' | 'submit'>()
  const { assetId, isOwn, status } = entry
  const next = nextSubmissionOf(entry)
  const isManaged = assetId !== undefined
  const close = () => setOpen(undefined)
  const edit: MenuEntry = { id: 'edit', label: text.edit, icon: 'edit', onAction: () => setOpen('edit') }
  const withdraw: MenuEntry = {
    id: 'withdraw',
    label: text.withdraw,
    icon: 'blocked',
    isDangerous: true,
    onAction: () => setOpen('withdraw'),
  }
  return {
    primary: isManaged && isOwn && next !== 'waits' && may(submitEntry) && (
      <Button
        kind={next === 'again' ? 'primary' : 'secondary'}
        onPress={() => setOpen('submit')}
        onHoverStart={SubmitDialog.preload}
      >
        {text[next]}
      </Button>
    ),
    menu: isManaged
      ? [
          ...(status !== 'ARCHIVED' && may(updateEntry) ? [edit] : []),
          ...(status !== 'ARCHIVED' && may(withdrawEntry) ? [withdraw] : []),
        ]
      : [],
    dialogs: (
      <>
        {open === 'edit' && <EditDialog entry={entry} onClose={close} />}
        {open === 'submit' && assetId !== undefined && (
          <SubmitDialog asset={{ id: assetId, name: entry.name }} entryId={entry.id} onClose={close} />
        )}
        {open === 'withdraw' && <WithdrawDialog entry={entry} onClose={close} />}
      </>
    ),
  }
}
