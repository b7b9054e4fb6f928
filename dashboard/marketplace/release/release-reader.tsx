import { useMemo } from 'react'
import { Link } from 'react-aria-components'
import { Choice } from '../../parts/choice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Spoken } from '../../parts/spoken.tsx'
import { useWords } from '../../words/words.ts'
import type { PlacedFinding, ReleasePart } from './finding.rules.ts'
import { findingTexts } from './finding.words.ts'
import { PartContent, type ReadFile } from './part-content.tsx'
import styles from './release.module.css'
import { changeOf, partOf, partTitle, pathOf, type ReadableRelease, textPartsOf } from './release.ts'
import { releaseTexts } from './release.words.ts'
import type { ReleaseSearch } from './release-search.ts'

export type ReleaseReaderProps = {
  release: ReadableRelease
  findings?: readonly PlacedFinding[]
  /** The state that the address has. */
  search: ReleaseSearch
  /** The address of another state of the reader. */
  hrefOf: (search: ReleaseSearch) => string
  onOpen: (search: ReleaseSearch) => void
  readFile: ReadFile
}

/**
 * The whole content of a release: its texts and files at the left, the chosen one beside them. The source comes first:
 * what is drawn from it can look different.
 */
export function ReleaseReader({
  release,
  findings = [],
  search,
  hrefOf,
  onOpen,
  readFile,
}: ReleaseReaderProps) {
  const text = useWords(releaseTexts)
  const isPhone = useIsPhone()
  const part = partOf(release, search.part)
  const countOf = (one: ReleasePart) => findings.filter(finding => finding.part === one)
  const texts = textPartsOf(release)
  const titleOf = (one: ReleasePart) => partTitle(one, text)
  const files = useMemo(() => release.files.map(({ path }) => `file:${path}` as const), [release.files])
  const entry = (one: ReleasePart) => (
    <li key={one}>
      <Link
        href={hrefOf({ part: one })}
        className={styles.entry}
        {...(one === part && { 'aria-current': 'page' as const })}
      >
        <Icon name={pathOf(one) === undefined ? 'budgets' : 'file'} className={styles.entryIcon} />
        <PartName title={titleOf(one)} />
        <PartMarks findings={countOf(one)} change={changeOf(release, one)} />
      </Link>
    </li>
  )
  return (
    <div className={styles.reader}>
      {isPhone ? (
        <div className={styles.chooser}>
          <Choice
            label={text.part}
            value={part}
            onChange={one => onOpen({ part: one })}
            options={[...texts.map(one => one.part), ...files].map(one => ({
              value: one,
              label: titleOf(one),
            }))}
          />
        </div>
      ) : (
        <nav className={styles.parts} aria-label={text.contents}>
          <h2 className={styles.groupTitle}>{text.contents}</h2>
          <ul>{texts.map(one => entry(one.part))}</ul>
          {files.length > 0 && (
            <>
              <h2 className={styles.groupTitle}>
                {text.files} <span className={styles.quiet}>{files.length}</span>
              </h2>
              <ul>{files.map(entry)}</ul>
            </>
          )}
        </nav>
      )}
      <PartContent
        key={part}
        release={release}
        part={part}
        title={titleOf(part)}
        findings={findings.filter(finding => finding.part === part)}
        search={search}
        hrefOf={hrefOf}
        readFile={readFile}
      />
    </div>
  )
}

/** A path with its folders quiet, so that the names of files stand out. */
function PartName({ title }: { title: string }) {
  const at = title.lastIndexOf('/') + 1
  return (
    <span className={styles.entryName} title={title}>
      {at > 0 && <span className={styles.quiet}>{title.slice(0, at)}</span>}
      {title.slice(at)}
    </span>
  )
}

function PartMarks({
  findings,
  change,
}: {
  findings: readonly PlacedFinding[]
  change: 'added' | 'changed' | undefined
}) {
  const text = useWords(releaseTexts)
  const findingText = useWords(findingTexts)
  const [first] = findings
  return (
    <span className={styles.marks}>
      {change && (
        <span className={change === 'added' ? styles.plus : styles.changed}>
          <span aria-hidden="true">{change === 'added' ? '+' : '±'}</span>
          <Spoken>{change === 'added' ? text.fileAdded : text.fileChanged}</Spoken>
        </span>
      )}
      {first && (
        <span className={styles[first.severity]}>
          {findings.length}
          <Spoken> {findingText.findings}</Spoken>
        </span>
      )}
    </span>
  )
}
