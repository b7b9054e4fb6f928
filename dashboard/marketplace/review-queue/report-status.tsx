import type { listEntryReports } from '#contract/marketplace/review-queue.ts'
import type { Reply } from '#contract/route.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { reportTexts } from './report.words.ts'
import type { ReportStatus as StatusOfReport } from './reports.rules.ts'

export type Report = Reply<typeof listEntryReports>['items'][number]

const icons: Readonly<Record<StatusOfReport, { icon: IconName; kind: StatusKind }>> = {
  OPEN: { icon: 'flag', kind: 'warn' },
  CONFIRMED: { icon: 'done', kind: 'done' },
  DISMISSED: { icon: 'blocked', kind: 'quiet' },
}

/** The status of a report: an icon and a word. */
export function ReportStatus({ status }: { status: StatusOfReport }) {
  const text = useWords(reportTexts)
  return <Status {...icons[status]}>{text[status]}</Status>
}
