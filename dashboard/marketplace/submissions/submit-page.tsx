import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { listAssets, readAsset } from '#contract/studio/assets.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { Combo } from '../../parts/combo.tsx'
import { Page } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { WithMarketplace } from '../market-page.tsx'
import { marketTexts } from '../marketplace.words.ts'
import { submissionTexts } from './submission.words.ts'
import styles from './submissions.module.css'
import { SubmitForm } from './submit-form.tsx'

const from = '/o/$organization/marketplace/submit'

/** Publishes an asset in the marketplace. Any screen can link here with `?asset=`. */
export function SubmitPage() {
  return <WithMarketplace>{() => <Submit />}</WithMarketplace>
}

function Submit() {
  const text = useWords(submissionTexts)
  const { asset: assetId, entry: entryId } = useSearch({ from })
  const navigate = useNavigate()
  const { address } = useOrganization()
  const asset = useRead(readAsset, { params: { id: assetId ?? '' } }, { enabled: assetId !== undefined })
  const mineHref = `/o/${encodeURIComponent(address)}/marketplace/mine`
  return (
    <Page title={asset.data ? text.publishName(asset.data.name) : text.publishTitle}>
      <div className={styles.submit}>
        {assetId === undefined ? (
          <AssetField onChoose={chosen => void navigate({ to: '.', search: { asset: chosen } })} />
        ) : (
          <SubmitForm
            key={assetId}
            assetId={assetId}
            entryId={entryId}
            onSubmitted={({ id }) => void navigate({ href: `${mineHref}?open=${id}` })}
            onCancel={() => void navigate({ href: mineHref })}
          />
        )}
      </div>
    </Page>
  )
}

/** Chooses one of the person's own published assets. */
function AssetField({ onChoose }: { onChoose: (assetId: string) => void }) {
  const text = useWords(submissionTexts)
  const market = useWords(marketTexts)
  const { caller } = useOrganization()
  const [search, setSearch] = useState('')
  const words = search.trim()
  const list = useList(listAssets, {
    query: {
      authorId: caller.person.id,
      status: 'PUBLISHED',
      limit: 50,
      ...(words !== '' && { search: words }),
    },
  })
  if (words === '' && !list.isLoading && !list.error && list.items.length === 0)
    return <Notice>{text.noAssets}</Notice>
  return (
    <Combo
      label={text.asset}
      hint={text.assetHint}
      items={list.items.map(({ id, name, type }) => ({ id, label: name, hint: market[type] }))}
      value={null}
      search={search}
      onSearch={setSearch}
      isLoading={list.isLoading}
      onChange={id => id !== null && onChoose(id)}
    />
  )
}
