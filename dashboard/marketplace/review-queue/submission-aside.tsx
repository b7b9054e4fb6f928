import type { ReactNode } from 'react'
import type { SubmissionDetail } from '#contract/marketplace/review-queue.ts'
import { useOrganization } from '../../data/organization.tsx'
import { DifferenceCount } from '../../parts/difference.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { marketTexts } from '../marketplace.words.ts'
import type { PlacedFinding } from '../release/finding.rules.ts'
import { FindingList } from '../release/findings.tsx'
import { releaseTexts } from '../release/release.words.ts'
import type { ReleaseSearch } from '../release/release-search.ts'
import { Traits } from '../release/traits.tsx'
import styles from './queue.module.css'
import { isWaiting } from './queue.rules.ts'
import { queueTexts } from './queue.words.ts'

/** The facts beside the content that an operator weighs: findings, changes, abilities, people. */
export function SubmissionAside({
  submission,
  findings,
  current,
  hrefOf,
  listing,
}: {
  submission: SubmissionDetail
  findings: readonly PlacedFinding[]
  current: string | undefined
  hrefOf: (search: ReleaseSearch) => string
  /** Its place in the catalogue. */
  listing: ReactNode
}) {
  const text = useWords(queueTexts)
  const releaseText = useWords(releaseTexts)
  const { caller } = useOrganization()
  const isOwn = submission.submittedBy.id === caller.person.id
  return (
    <aside className={styles.aside} aria-label={text.submission}>
      <section className={styles.part}>
        {isOwn && isWaiting(submission) && <Notice kind="warn">{text.own}</Notice>}
        {submission.rejectionReason && (
          <Notice kind="danger">
            <strong className={styles.partTitle}>{text.reason}</strong>
            <p className={styles.reason}>{submission.rejectionReason}</p>
          </Notice>
        )}
        <h2 className={styles.partTitle}>{text.findings}</h2>
        <FindingList
          findings={findings}
          current={current}
          hrefOf={({ part, id }) => hrefOf({ ...(part && { part }), finding: id })}
        />
      </section>
      <section className={styles.part}>
        <Changes submission={submission} />
      </section>
      <section className={styles.part}>
        <h2 className={styles.partTitle}>{releaseText.does}</h2>
        <Traits release={submission} />
      </section>
      <section className={styles.part}>
        <SubmissionFacts submission={submission} />
      </section>
      {listing && <section className={styles.part}>{listing}</section>}
    </aside>
  )
}

function Changes({ submission: { difference } }: { submission: SubmissionDetail }) {
  const text = useWords(queueTexts)
  if (!difference) return <p className={styles.quiet}>{text.firstRelease}</p>
  const { bodyMarkdown, frontmatter, files, isSame } = difference
  const removed = files.filter(({ kind }) => kind === 'removed')
  return (
    <>
      <h2 className={styles.partTitle}>{text.against(difference.from)}</h2>
      {isSame ? (
        <p className={styles.quiet}>{text.same}</p>
      ) : (
        <Facts
          facts={[
            { term: text.lines, value: bodyMarkdown && <DifferenceCount {...bodyMarkdown} /> },
            { term: text.fields, value: frontmatter.length || null },
            { term: text.changedFiles, value: files.length - removed.length || null },
            { term: text.removed, value: removed.map(({ path }) => path).join(', ') },
          ]}
        />
      )}
    </>
  )
}

function SubmissionFacts({ submission }: { submission: SubmissionDetail }) {
  const text = useWords(queueTexts)
  const market = useWords(marketTexts)
  const { openReports, entryId, decidedAt, submittedAt } = submission
  return (
    <Facts
      facts={[
        { term: market.type, value: market[submission.type] },
        { term: text.category, value: market[submission.category] },
        { term: text.tags, value: submission.tags.join(', ') },
        { term: text.organizationFact, value: submission.organizationName },
        { term: text.by, value: submission.submittedBy.name },
        {
          term: isWaiting(submission) ? text.since : market.submitted,
          value: <Time value={submittedAt} form="moment" />,
        },
        { term: text.reviewer, value: submission.reviewedBy },
        { term: text.decided, value: decidedAt && <Time value={decidedAt} form="moment" /> },
        { term: text.note, value: submission.note },
        {
          term: text.openReports,
          value: openReports > 0 && (
            <TextLink href={`/operator/reports?entry=${entryId}`}>{openReports}</TextLink>
          ),
        },
        { term: text.digest, value: <Id value={submission.digest} isShortened /> },
      ]}
    />
  )
}
