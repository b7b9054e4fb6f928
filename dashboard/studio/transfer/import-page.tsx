import { studioLimits } from '#contract/studio/limits.ts'
import { importAsset } from '#contract/studio/packages.ts'
import { useMay } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { DropArea } from '../../parts/drop-area.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { countText, sizeText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { errorTexts } from './import-refused.words.ts'
import { PackageRow } from './package-row.tsx'
import styles from './transfer.module.css'
import { importTexts } from './transfer.words.ts'
import { useImports } from './use-imports.ts'

/** Imports packages: each is checked when it is chosen, and shows the asset that it becomes before anything is stored. */
export function ImportPackages() {
  const text = useWords(importTexts)
  const refused = useWords(errorTexts)
  const language = useLanguage()
  const isAllowed = useMay()(importAsset)
  const { imports, chosen, isBusy, add, check, include, remove, clear, importChosen } = useImports()
  const start = () => void importChosen()
  const canStart = chosen.length > 0 && !isBusy
  useShortcuts(
    { 'mod+Enter': canStart ? { label: text.importAction(chosen.length), action: start } : undefined },
    text.title,
  )
  const isFinished = imports.some(({ state }) => state === 'imported')
  if (!isAllowed)
    return (
      <Page title={text.title}>
        <Notice>{refused.mayNot}</Notice>
      </Page>
    )
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        imports.length > 0 && (
          <>
            {isFinished && (
              <Button kind="quiet" onPress={clear}>
                {text.clear}
              </Button>
            )}
            <Button kind="primary" isDisabled={chosen.length === 0} isBusy={isBusy} onPress={start}>
              {chosen.length === 0 ? text.nothingReady : text.importAction(chosen.length)}
            </Button>
          </>
        )
      }
    >
      <DropArea hint={text.drop} onFiles={files => void add(files.map(({ file }) => file))}>
        <div className={styles.page}>
          <p className={styles.about}>{text.about}</p>
          <FileDrop
            label={text.packages}
            hint={text.limits(
              sizeText(studioLimits.packageBytes, language),
              countText(studioLimits.packageFiles, language),
            )}
            accepts={['.zip', '.skill', '.md', '.markdown', 'application/zip', 'text/markdown']}
            onFiles={files => void add(files)}
          />
          {imports.length > 0 && (
            <>
              <ul className={styles.list} aria-label={text.packages}>
                {imports.map(one => (
                  <PackageRow
                    key={one.id}
                    one={one}
                    onInclude={isIncluded => include(one.id, isIncluded)}
                    onRemove={() => remove(one.id)}
                    onRetry={() => void check(one.id)}
                  />
                ))}
              </ul>
              <p className={styles.quiet}>{text.outcome}</p>
            </>
          )}
        </div>
      </DropArea>
    </Page>
  )
}
