import { useState } from 'react'
import { readEntry } from '#contract/marketplace/entries.ts'
import { listReviews } from '#contract/marketplace/reviews.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, type SheetProps, SheetSection } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { ReviewList, useReviews } from '../reviews/reviews.tsx'
import styles from './queue.module.css'
import { reportTexts } from './report.words.ts'
import { type Report, ReportStatus } from './report-status.tsx'

const SettleDialog = late(() => import('./settle-dialog.tsx').then(dialog => dialog.SettleDialog))

/** A report, its entry, and the reviews of the entry, whose texts an operator may hide. */
export function ReportSheet({
  report,
  ...sheet
}: Pick<SheetProps, 'onClose' | 'onPrevious' | 'onNext'> & { report: Report }) {
  const text = useWords(reportTexts)
  const may = useMay()
  const { address } = useOrganization()
  const [settling, setSettling] = useState<'CONFIRMED' | 'DISMISSED'>()
  const { entryId, entryName, status, reason, note, createdAt, settledAt } = report
  const menu: MenuEntry[] = [
    { id: 'review', label: text.openReview, icon: 'operator', href: `/operator/submissions/${entryId}` },
    ...(may(readEntry)
      ? [
          {
            id: 'entry',
            label: text.openEntry,
            icon: 'marketplace' as const,
            href: `/o/${encodeURIComponent(address)}/marketplace/${entryId}`,
          },
        ]
      : []),
    { id: 'others', label: text.others, icon: 'flag', href: `/operator/reports?entry=${entryId}` },
  ]
  return (
    <>
      <Sheet
        {...sheet}
        title={entryName}
        about={<ReportStatus status={status} />}
        menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries: menu }]} />}
        footer={
          status === 'OPEN' && (
            <>
              <Button onPress={() => setSettling('DISMISSED')}>{text.dismiss}</Button>
              <Button kind="primary" onPress={() => setSettling('CONFIRMED')}>
                {text.confirm}
              </Button>
            </>
          )
        }
      >
        <SheetSection>
          <div className={styles.stack}>
            <p className={styles.reason}>{reason}</p>
            <Facts
              facts={[
                { term: text.received, value: <Time value={createdAt} form="moment" /> },
                { term: text.settled, value: settledAt && <Time value={settledAt} form="moment" /> },
                { term: text.note, value: note },
              ]}
            />
          </div>
        </SheetSection>
        {may(listReviews) && (
          <SheetSection>
            <div className={styles.stack}>
              <h3 className={styles.partTitle}>{text.reviews}</h3>
              <EntryReviews entryId={entryId} />
            </div>
          </SheetSection>
        )}
      </Sheet>
      {settling && <SettleDialog report={report} status={settling} onClose={() => setSettling(undefined)} />}
    </>
  )
}

function EntryReviews({ entryId }: { entryId: string }) {
  return <ReviewList list={useReviews(entryId)} />
}
