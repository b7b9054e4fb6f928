import { useState } from 'react'
import { updateInstall } from '#contract/marketplace/installs.ts'
import { readInstall } from '#contract/marketplace/provenance.ts'
import { writeReview } from '#contract/marketplace/reviews.ts'
import type { Reply } from '#contract/route.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, type SheetProps, SheetSection } from '../../parts/sheet.tsx'
import { useWords } from '../../words/words.ts'
import { useAssetHref } from '../asset-href.ts'
import { marketTexts } from '../marketplace.words.ts'
import { installTexts } from './install.words.ts'
import { InstallState, nameOf } from './install-state.tsx'
import { UpdateDialog } from './late-update-dialog.ts'
import { ProvenanceChain } from './provenance.tsx'

type InstallSheetProps = Pick<SheetProps, 'onClose' | 'onPrevious' | 'onNext'> & { id: string }

/** A copy beside the list: its version, where it comes from, and its update. */
export function InstallSheet({ id, ...sheet }: InstallSheetProps) {
  const text = useWords(installTexts)
  const market = useWords(marketTexts)
  const read = useRead(readInstall, { params: { id } })
  if (read.data) return <LoadedSheet install={read.data} {...sheet} />
  return (
    <Sheet {...sheet} title={text.copy}>
      <ReadingSection error={read.error} label={market.reading} />
    </Sheet>
  )
}

function LoadedSheet({
  install,
  ...sheet
}: Omit<InstallSheetProps, 'id'> & { install: Reply<typeof readInstall> }) {
  const text = useWords(installTexts)
  const market = useWords(marketTexts)
  const may = useMay()
  const { address } = useOrganization()
  const [isUpdating, setUpdating] = useState(false)
  const { installedAssetId, entryId, entryName, customName, updateAvailable } = install
  const assetHref = useAssetHref()(installedAssetId ?? '')
  const entryHref = `/o/${encodeURIComponent(address)}/marketplace/${entryId}`
  const mayUpdate = updateAvailable && installedAssetId !== null && may(updateInstall)
  useShortcuts({
    u: mayUpdate ? { label: text.update, action: () => setUpdating(true) } : undefined,
  })
  const menu: MenuEntry[] = [
    ...(installedAssetId !== null && assetHref
      ? [{ id: 'asset', label: text.openAsset, icon: 'studio' as const, href: assetHref }]
      : []),
    { id: 'entry', label: text.openEntry, icon: 'marketplace', href: entryHref },
    ...(may(writeReview)
      ? [{ id: 'review', label: text.review, icon: 'star' as const, href: `${entryHref}?tab=reviews` }]
      : []),
  ]
  return (
    <>
      <Sheet
        {...sheet}
        title={nameOf(install)}
        about={<InstallState install={install} />}
        actions={
          mayUpdate && (
            <Button
              kind="primary"
              shortcut="u"
              onPress={() => setUpdating(true)}
              onHoverStart={UpdateDialog.preload}
            >
              {text.update}
            </Button>
          )
        }
        menu={<MoreMenu label={market.actions} groups={[{ id: 'actions', entries: menu }]} />}
      >
        <SheetSection>
          <Facts
            facts={[
              { term: market.version, value: install.installedVersion },
              { term: text.from, value: customName && entryName },
              { term: text.files, value: text.filesCopied(install.filesCopied, install.filesFailed) },
            ]}
          />
        </SheetSection>
        <SheetSection>
          <ProvenanceChain install={install} />
        </SheetSection>
      </Sheet>
      {isUpdating && (
        <UpdateDialog
          installId={install.installId}
          name={nameOf(install)}
          onClose={() => setUpdating(false)}
        />
      )}
    </>
  )
}
