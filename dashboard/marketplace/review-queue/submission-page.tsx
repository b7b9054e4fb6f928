import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import {
  readSubmission,
  readSubmittedFile,
  type SubmissionDetail,
} from '#contract/marketplace/review-queue.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { placeFindings } from '../release/finding.rules.ts'
import { ReleaseReader } from '../release/release-reader.tsx'
import type { ReleaseSearch } from '../release/release-search.ts'
import { EntryStatus } from '../submissions/entry-status.tsx'
import { ChangedRelease } from './changed-release.tsx'
import styles from './queue.module.css'
import { queueTexts } from './queue.words.ts'
import { SubmissionAside } from './submission-aside.tsx'
import { useReview } from './use-review.tsx'

const from = '/operator/submissions/$submissionId'

/** A submission on the desk of an operator: its content with the findings in place, and the decision. */
export function SubmissionPage() {
  const text = useWords(queueTexts)
  const language = useLanguage()
  const { submissionId } = useParams({ from })
  const read = useRead(readSubmission, { params: { entryId: submissionId } }, { staleMs: 0 })
  if (read.data) return <LoadedPage key={submissionId} submission={read.data} />
  return (
    <Page title={text.submission}>
      {read.error ? (
        <Problem
          title={textOfError(read.error, language)}
          action={<Button onPress={() => void read.refetch()}>{text.again}</Button>}
        />
      ) : (
        <Skeleton rows={8} label={text.reading} />
      )}
    </Page>
  )
}

function LoadedPage({ submission }: { submission: SubmissionDetail }) {
  const params = useParams({ from })
  const search = useSearch({ from })
  const navigate = useNavigate()
  const { buildLocation } = useRouter()
  // the release that the operator reads: another one may be submitted meanwhile
  const [seen, setSeen] = useState(submission)
  const isChanged = seen.releaseId !== submission.releaseId
  const findings = useMemo(() => placeFindings(submission.findings), [submission.findings])
  const hrefOf = (shown: ReleaseSearch) => buildLocation({ to: from, params, search: shown }).href
  const onOpen = (shown: ReleaseSearch) => void navigate({ to: '.', search: shown, replace: true })
  const { actions, dialogs, listing } = useReview({ submission, isChanged, findings, search, onOpen })
  const { entryId } = submission
  return (
    <Page
      title={submission.name}
      beside={
        <>
          <span className={styles.quiet}>{submission.version}</span>
          <span className={styles.status}>
            <EntryStatus status={submission.status} />
          </span>
        </>
      }
      width="full"
      actions={actions}
    >
      {isChanged && (
        <ChangedRelease read={seen} now={submission} hrefOf={hrefOf} onRead={() => setSeen(submission)} />
      )}
      <div className={styles.frame}>
        <ReleaseReader
          release={submission}
          findings={findings}
          search={search}
          hrefOf={hrefOf}
          onOpen={onOpen}
          readFile={{
            operation: readSubmittedFile,
            inputOf: path => ({ params: { entryId }, query: { path } }),
          }}
        />
        <SubmissionAside
          submission={submission}
          findings={findings}
          current={search.finding}
          hrefOf={hrefOf}
          listing={listing}
        />
      </div>
      {dialogs}
    </Page>
  )
}
