import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { readAsset, readAssetBySlug } from '#contract/studio/assets.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Asset, assetHref, catalogueHref, isAssetId } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { AssetDialogs } from './asset-dialogs.tsx'
import { AssetBeside, AssetControls } from './asset-head.tsx'
import { assetPageTexts } from './asset-page.words.ts'
import { assetTabs } from './asset-tabs.tsx'
import { BodyTab } from './body-tab.tsx'
import { isGone } from './gone-notice.tsx'
import type { OpenDialog } from './open-dialog.ts'

const from = '/o/$organization/studio/$assetId'

/** An asset as a page: its address has its id or its slug. */
export function AssetPage() {
  const { assetId } = useParams({ from })
  return isAssetId(assetId) ? <AssetById key={assetId} id={assetId} /> : <AssetBySlug slug={assetId} />
}

/** A slug leads to the id: the asset has one address, whatever its name becomes. */
function AssetBySlug({ slug }: { slug: string }) {
  const { address } = useOrganization()
  const search = useSearch({ from })
  const { data, error } = useRead(readAssetBySlug, { params: { slug } })
  if (!data) return <Reading error={error} />
  return <Navigate to={assetHref(address, data.id)} search={search} replace />
}

function AssetById({ id }: { id: string }) {
  const { data, error } = useRead(readAsset, { params: { id } })
  if (!data) return <Reading error={error} />
  return <LoadedAsset asset={data} hasGone={isGone(error)} />
}

function Reading({ error }: { error: unknown }) {
  const fields = useWords(assetTexts)
  const text = useWords(assetPageTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  return (
    <Page title={fields.asset}>
      {error ? (
        <Problem
          title={textOfError(error, language)}
          action={<ButtonLink href={catalogueHref(address)}>{text.toCatalogue}</ButtonLink>}
        />
      ) : (
        <Skeleton rows={8} label={fields.reading} />
      )}
    </Page>
  )
}

function LoadedAsset({ asset, hasGone }: { asset: Asset; hasGone: boolean }) {
  const text = useWords(assetPageTexts)
  const fields = useWords(assetTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { tab, edit } = useSearch({ from })
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const shown = assetTabs.find(({ id }) => id === tab)
  const href = assetHref(address, asset.id)
  const hrefOf = (id?: string) => {
    const query = new URLSearchParams({ ...(id && { tab: id }), ...(edit && { edit: 'true' }) }).toString()
    return `${href}${query && `?${query}`}`
  }
  return (
    <Page
      title={asset.name}
      width="full"
      beside={<AssetBeside asset={asset} />}
      actions={<AssetControls asset={asset} hasGone={hasGone} onOpen={setOpen} />}
      below={
        <Tabs
          label={text.tabs}
          current={shown?.id ?? 'body'}
          tabs={[
            { id: 'body', title: text.body, href: hrefOf() },
            ...assetTabs.map(({ id, label }) => ({ id, title: label[language], href: hrefOf(id) })),
          ]}
        />
      }
    >
      {/* stays while another tab is shown, with what was typed */}
      <BodyTab asset={asset} hasGone={hasGone} isHidden={shown !== undefined} />
      {shown && (
        <Suspense fallback={<Skeleton rows={6} label={fields.reading} />}>
          <shown.Content asset={asset} />
        </Suspense>
      )}
      <AssetDialogs
        open={open}
        onClose={() => setOpen({ kind: 'none' })}
        onRemoved={() => void navigate({ to: catalogueHref(address) })}
      />
    </Page>
  )
}
