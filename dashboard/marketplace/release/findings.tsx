import { Link } from 'react-aria-components'
import type { IconName } from '../../parts/icon.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { SourceNote } from '../../parts/source.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { meaningOf, type PlacedFinding, quotedPlace } from './finding.rules.ts'
import { findingTexts } from './finding.words.ts'
import styles from './release.module.css'
import { partTitle } from './release.ts'
import { releaseTexts } from './release.words.ts'

const kinds: Readonly<
  Record<PlacedFinding['severity'], { icon: IconName; kind: StatusKind; note: SourceNote['kind'] }>
> = {
  block: { icon: 'blocked', kind: 'danger', note: 'danger' },
  warn: { icon: 'errors', kind: 'warn', note: 'warn' },
  note: { icon: 'info', kind: 'info', note: 'info' },
}

/** A finding as a remark below its line. */
export function noteOf(finding: PlacedFinding, language: Language): SourceNote {
  const { id, line, severity } = finding
  return {
    id,
    line,
    kind: kinds[severity].note,
    content: <FindingContent finding={finding} language={language} />,
  }
}

function FindingContent({ finding, language }: { finding: PlacedFinding; language: Language }) {
  const { title, advice } = meaningOf(finding, language)
  const { icon, kind } = kinds[finding.severity]
  return (
    <>
      <span className={styles.findingHead}>
        <Icon name={icon} className={styles[finding.severity] ?? ''} />
        <strong className={styles.findingTitle}>{title}</strong>
        <code className={styles.findingCode}>{finding.code}</code>
        <SeverityTag kind={kind} severity={finding.severity} />
      </span>
      <span className={styles.quiet}>{advice}</span>
    </>
  )
}

function SeverityTag({ kind, severity }: { kind: StatusKind; severity: PlacedFinding['severity'] }) {
  const text = useWords(findingTexts)
  return <span className={`${styles.severity} ${styles[`${kind}Tag`] ?? ''}`}>{text[severity]}</span>
}

/** All findings as a linter lists them: what, where, and with `hasAdvice` what to do. */
export function FindingList({
  findings,
  hrefOf,
  current,
  hasAdvice = false,
}: {
  findings: readonly PlacedFinding[]
  /** Where a finding leads: to its line. */
  hrefOf?: (finding: PlacedFinding) => string
  current?: string | undefined
  hasAdvice?: boolean
}) {
  const text = useWords(findingTexts)
  const releaseText = useWords(releaseTexts)
  const language = useLanguage()
  if (findings.length === 0)
    return (
      <Status icon="done" kind="done">
        {text.none}
      </Status>
    )
  return (
    <ul className={styles.findings} aria-label={text.findings}>
      {findings.map(finding => {
        const { title, advice } = meaningOf(finding, language)
        const place = quotedPlace(finding, part => partTitle(part, releaseText), text.line)
        const row = (
          <>
            <Icon name={kinds[finding.severity].icon} className={styles[finding.severity] ?? ''} />
            <span className={styles.findingWords}>
              <span className={styles.findingTitle}>{title}</span>
              <span className={styles.findingPlace}>{place ?? text.whole}</span>
              {hasAdvice && <span className={styles.quiet}>{advice}</span>}
            </span>
            <SeverityTag kind={kinds[finding.severity].kind} severity={finding.severity} />
          </>
        )
        return (
          <li key={finding.id} data-current={finding.id === current || undefined}>
            {hrefOf && finding.part !== undefined ? (
              <Link href={hrefOf(finding)} className={styles.finding}>
                {row}
              </Link>
            ) : (
              <div className={styles.finding}>{row}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
