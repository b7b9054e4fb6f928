import type { Finding } from '#contract/studio/packages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Progress } from '../../parts/progress.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useAssetHref } from '../asset-href.ts'
import { assetTexts } from '../assets/asset.words.ts'
import { findingText } from './finding.words.ts'
import { findingsByFile } from './import.rules.ts'
import styles from './transfer.module.css'
import { importTexts } from './transfer.words.ts'
import type { PackageImport } from './use-imports.ts'

/** A package with what it will be, or what it has become, and what is wrong with it. */
export function PackageRow({
  one,
  onInclude,
  onRemove,
  onRetry,
}: {
  one: PackageImport
  onInclude: (isIncluded: boolean) => void
  onRemove: () => void
  onRetry: () => void
}) {
  const text = useWords(importTexts)
  const language = useLanguage()
  const values = useWords(assetTexts)
  const { name, bytes, state, report, created, error, findings } = one
  const about = created ?? report
  const version = created?.currentVersion.version ?? report?.version
  const files = (created ?? report)?.files.length ?? 0
  return (
    <li className={styles.package}>
      <div className={styles.line}>
        <span className={styles.check}>
          {state === 'ready' && (
            <Checkbox aria-label={text.include(name)} isSelected={one.isIncluded} onChange={onInclude} />
          )}
        </span>
        <div className={styles.what}>
          <span className={styles.name}>{about?.name ?? name}</span>
          <span className={styles.quiet}>
            {about?.type && <Tag>{values[about.type]}</Tag>} {version && <span>{version}</span>}
            {files > 0 && <span>{text.files(files)}</span>}
            <span>
              {name} · {sizeText(bytes, language)}
            </span>
          </span>
        </div>
        <div className={styles.end}>
          <PackageState one={one} />
          {created && <OpenLink assetId={created.id} label={text.open} />}
          {one.canRetry && (
            <Button size="small" onPress={onRetry}>
              {text.again}
            </Button>
          )}
          {state !== 'checking' && state !== 'importing' && (
            <IconButton icon="close" size="small" label={text.leaveOut(name)} onPress={onRemove} />
          )}
        </div>
      </div>
      {error && <p className={styles.error}>{error}</p>}
      {(state === 'checking' || state === 'importing') && (
        <Progress
          label={state === 'checking' ? text.checking(name) : text.importing(name)}
          // the server works on after the last byte has left
          value={one.progress < 1 ? one.progress : undefined}
          isLabelHidden
        />
      )}
      {findings.length > 0 && <Findings findings={findings} isOpen={state === 'refused'} />}
    </li>
  )
}

function OpenLink({ assetId, label }: { assetId: string; label: string }) {
  const hrefOf = useAssetHref()
  return <TextLink href={hrefOf(assetId)}>{label}</TextLink>
}

function PackageState({ one: { state, report, created } }: { one: PackageImport }) {
  const text = useWords(importTexts)
  const warnings = (created?.warnings ?? report?.warnings ?? []).length
  if (state === 'imported')
    return (
      <Status icon="done" kind="done">
        {text.imported}
      </Status>
    )
  if (state === 'refused')
    return (
      <Status icon="failed" kind="danger">
        {text.cannot}
      </Status>
    )
  if (state !== 'ready') return null
  return warnings > 0 ? (
    <Status icon="errors" kind="warn">
      {text.warnings(warnings)}
    </Status>
  ) : (
    <Status icon="check">{text.ready}</Status>
  )
}

/** The faults by file. Those that stop an import are open. */
function Findings({ findings, isOpen }: { findings: readonly Finding[]; isOpen: boolean }) {
  const text = useWords(importTexts)
  const language = useLanguage()
  return (
    <details className={styles.findings} open={isOpen}>
      <summary className={styles.summary}>{text.showFindings}</summary>
      {findingsByFile(findings).map(({ path, findings: ofFile }) => (
        <div key={path ?? ''}>
          <p className={styles.path}>{path ?? text.wholePackage}</p>
          <ul className={styles.lines}>
            {ofFile.map(finding => (
              <li key={`${finding.code} ${finding.line} ${finding.message}`}>
                {finding.line !== null && <span className={styles.quiet}>{text.line(finding.line)}: </span>}
                {findingText(finding, language)}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  )
}
