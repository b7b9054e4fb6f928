import type { Asset } from '#contract/studio/assets.ts'
import { uploadFiles } from '#contract/studio/files.ts'
import { createVersion } from '#contract/studio/versions.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './files.module.css'
import { fileTexts } from './files.words.ts'

/** Says why the files cannot change, and what a person can do about it. */
export function WhyLocked({
  asset,
  version,
  isPublished,
  isCurrent,
}: {
  asset: Asset
  version: string
  isPublished: boolean
  isCurrent: boolean
}) {
  const text = useWords(fileTexts)
  const language = useLanguage()
  const may = useMay()
  const make = useAction(createVersion)
  if (!may(uploadFiles)) return null
  if (asset.access === 'READ') return <Notice>{text.readOnly}</Notice>
  if (asset.status === 'ARCHIVED') return <Notice>{text.archived}</Notice>
  if (!isPublished) return null
  async function makeVersion(): Promise<void> {
    try {
      const made = await make.mutateAsync({ params: { id: asset.id }, body: {} })
      showToast({ text: text.versionMade(made.version) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  return (
    <Notice>
      <div className={styles.locked}>
        <span>{text.locked(version)}</span>
        {isCurrent && may(createVersion) && (
          <Button size="small" isBusy={make.isPending} onPress={() => void makeVersion()}>
            {text.makeVersion}
          </Button>
        )}
      </div>
    </Notice>
  )
}
