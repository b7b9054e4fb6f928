import type { Install } from '#contract/marketplace/installs.ts'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { installTexts } from './install.words.ts'

/** The name of a copy: the one that the person chose, or that of its entry. */
export function nameOf({ customName, entryName }: Pick<Install, 'customName' | 'entryName'>): string {
  return customName ?? entryName
}

/** Whether a copy is up to date, has a newer version, or was deleted. */
export function InstallState({ install: { installedAssetId, updateAvailable } }: { install: Install }) {
  const text = useWords(installTexts)
  if (installedAssetId === null)
    return (
      <Status icon="trash" kind="quiet">
        {text.gone}
      </Status>
    )
  return updateAvailable ? (
    <Status icon="retry" kind="warn">
      {text.updateAvailable}
    </Status>
  ) : (
    <Status icon="done" kind="done">
      {text.upToDate}
    </Status>
  )
}
