import { activateVersion, rollbackVersion, type VersionItem } from '#contract/studio/versions.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Asset, canEdit } from '../assets/asset.ts'
import { versionTexts } from './versions.words.ts'

/** The actions of a version, for a menu: compare with the active one, make active, roll back. */
export function useVersionActions(
  asset: Asset,
  { compare, rollBack }: { compare: (from: string, to: string) => void; rollBack: (version: string) => void },
): (version: VersionItem) => MenuEntry[] {
  const text = useWords(versionTexts)
  const language = useLanguage()
  const may = useMay()
  const activate = useAction(activateVersion)

  async function makeActive(version: string): Promise<void> {
    try {
      await activate.mutateAsync({ params: { id: asset.id, version } })
      showToast({ text: text.activated(version) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  return ({ version, isCurrent }) => {
    const active = asset.currentVersion.version
    const isArchived = asset.status === 'ARCHIVED'
    const obstacle = isArchived ? text.isArchived : isCurrent ? text.isActive : undefined
    return [
      {
        id: 'compare',
        label: text.compareActive,
        icon: 'reconciliation',
        shortcut: 'd',
        onAction: () => compare(version, active),
        ...(isCurrent && { isDisabled: true, hint: text.isActive }),
      },
      ...(may(activateVersion) && canEdit(asset)
        ? [
            {
              id: 'activate',
              label: text.activate,
              icon: 'check' as const,
              onAction: () => void makeActive(version),
              hint: obstacle ?? text.activateHint,
              isDisabled: obstacle !== undefined,
            },
          ]
        : []),
      ...(may(rollbackVersion) && canEdit(asset)
        ? [
            {
              id: 'rollback',
              label: text.rollback,
              icon: 'retry' as const,
              onAction: () => rollBack(version),
              ...(obstacle && { isDisabled: true, hint: obstacle }),
            },
          ]
        : []),
    ]
  }
}
