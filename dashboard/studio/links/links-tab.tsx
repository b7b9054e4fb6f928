import { useState } from 'react'
import { Link as PageLink } from 'react-aria-components'
import type { Asset } from '#contract/studio/assets.ts'
import { createLink, type Link, listByEntity, listLinks, removeLink } from '#contract/studio/links.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { DetailList, DetailRow } from '../../data/detail-list.tsx'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './links.module.css'
import { linkTexts } from './links.words.ts'
import { isRecordKind, recordRoutes, useRecordName } from './records.ts'

const LinkDialog = late(() => import('./link-dialog.tsx').then(dialog => dialog.LinkDialog))

/** The records that an asset is linked to. */
export function LinksTab({ asset }: { asset: Asset }) {
  const text = useWords(linkTexts)
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const links = useList(listLinks, { params: { id: asset.id } })
  const mayLink = may(createLink)
  const canLink = mayLink && asset.access !== 'READ' && asset.status !== 'ARCHIVED'
  const add = () => setAdding(true)
  useCreateAction('link-asset', text.add, text.links, canLink && add)
  const why =
    asset.status === 'ARCHIVED' ? text.archived : asset.access === 'READ' ? text.readOnly : undefined
  return (
    <div className={styles.tab}>
      <DetailList
        {...links}
        level={2}
        title={text.links}
        about={<p className={styles.quiet}>{mayLink && why ? why : text.about}</p>}
        action={
          mayLink && (
            <Button
              size="small"
              icon="plus"
              shortcut="c"
              isDisabled={!canLink}
              onPress={add}
              onHoverStart={LinkDialog.preload}
              onFocus={LinkDialog.preload}
            >
              {text.add}
            </Button>
          )
        }
        rows={links.isLoading ? undefined : links.items}
        more={links}
        rowKey={({ id }) => id}
        empty={text.empty}
        row={link => <LinkRow link={link} canRemove={canLink && may(removeLink)} />}
      />
      {isAdding && <LinkDialog asset={asset} onClose={() => setAdding(false)} />}
    </div>
  )
}

function LinkRow({ link, canRemove }: { link: Link; canRemove: boolean }) {
  const text = useWords(linkTexts)
  const { entityType, entityId, note, createdBy, createdAt } = link
  const name = useRecordName(entityType, entityId) ?? text.unknown(entityId)
  const hrefOf = useKnownHref()
  const href = isRecordKind(entityType) ? hrefOf(recordRoutes[entityType], '', { id: entityId }) : undefined
  const unlink = useUnlink()
  return (
    <DetailRow
      name={href === undefined ? name : <PageLink href={href}>{name}</PageLink>}
      about={
        <>
          {note && <span className={styles.note}>{note}</span>}
          {text.by(createdBy.name)}
        </>
      }
    >
      <Tag>{isRecordKind(entityType) || entityType === 'error' ? text[entityType] : entityType}</Tag>
      <Time value={createdAt} />
      {canRemove && (
        <IconButton
          icon="close"
          size="small"
          label={text.remove(name)}
          onPress={() => void unlink(link.assetId, link)}
        />
      )}
    </DetailRow>
  )
}

/** Removes a link; a toast makes it again, with its note. */
export function useUnlink() {
  const text = useWords(linkTexts)
  const language = useLanguage()
  const refreshes = [listLinks, listByEntity]
  const remove = useAction(removeLink, { refreshes })
  const create = useAction(createLink, { refreshes })
  async function attempt(run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run()
      return true
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
      return false
    }
  }
  return async (
    assetId: string,
    { id, entityType, entityId, note }: Pick<Link, 'id' | 'entityType' | 'entityId' | 'note'>,
  ): Promise<void> => {
    const isRemoved = await attempt(() => remove.mutateAsync({ params: { id: assetId, linkId: id } }))
    if (!isRemoved) return
    const body = { entityType, entityId, ...(note !== null && { note }) }
    const undo = () => void attempt(() => create.mutateAsync({ params: { id: assetId }, body }))
    showToast({ text: text.removed, action: { label: text.undo, onPress: undo } })
  }
}
