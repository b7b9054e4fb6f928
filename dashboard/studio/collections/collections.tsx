import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { createCollection, readCollection, updateCollection } from '#contract/studio/collections.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { statusOf, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { CollectionAssets } from './collection-assets.tsx'
import type { OpenDialog } from './collection-dialogs.tsx'
import { CollectionTree } from './collection-tree.tsx'
import styles from './collections.module.css'
import { collectionTexts } from './collections.words.ts'
import { useCollectionActions } from './use-collection-actions.ts'
import { useCollectionHref, useCollections } from './use-collections.ts'
import { useMoveCollection } from './use-move-collection.ts'

const CollectionDialog = late(() => import('./collection-dialogs.tsx').then(part => part.CollectionDialog))
const AddAssetsDialog = late(() => import('./filing-dialogs.tsx').then(part => part.AddAssetsDialog))

/** The tree of collections, and beside it the assets of the one in the address. On a phone, one of the two. */
export function Collections() {
  const text = useWords(collectionTexts)
  const actionText = useWords(actionTexts)
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { address } = useOrganization()
  const { collectionId } = useParams({ strict: false })
  const [open, setOpen] = useState<OpenDialog>()
  const [isAdding, setAdding] = useState(false)
  const hrefOf = useCollectionHref()
  const home = `/o/${encodeURIComponent(address)}/collections`
  const list = useCollections()
  const listed = list.items.find(({ id }) => id === collectionId)
  const read = useRead(
    readCollection,
    { params: { id: collectionId ?? '' } },
    { enabled: collectionId !== undefined && listed === undefined && !list.isLoading },
  )
  const collection = listed ?? (collectionId === undefined ? undefined : read.data)
  const move = useMoveCollection(list.items)
  const { may, entriesOf, keysOf } = useCollectionActions(setOpen)
  const create = () => setOpen({ kind: 'create', parent: collection ?? null })
  const mayCreate = may(createCollection)
  const add = collection && may(updateCollection) ? () => setAdding(true) : undefined
  useCreateAction('create-collection', actionText['create-collection'], text.title, mayCreate && create, {
    ...(add && { a: { label: text.addAssets, action: add } }),
    ...(collection && keysOf(collection)),
  })
  const createButton = mayCreate && (
    <CreateButton isSecondary={Boolean(collection)} dialog={CollectionDialog} onPress={create}>
      {actionText['create-collection']}
    </CreateButton>
  )
  return (
    <Page
      title={collection?.name ?? text.title}
      width="full"
      actions={
        <>
          <CollectionsMenu entries={collection ? entriesOf(collection) : []} />
          {(!isPhone || !collection) && createButton}
          {add && (
            <Button kind="primary" shortcut="a" onPress={add} onHoverStart={AddAssetsDialog.preload}>
              {text.addAssets}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.layout}>
        {(!isPhone || collectionId === undefined) && (
          <CollectionTree
            list={list}
            current={collectionId}
            homeHref={home}
            entriesOf={entriesOf}
            keysOf={keysOf}
            onMove={(moved, into) => void move(moved, into)}
          />
        )}
        <div className={styles.content}>
          {collectionId === undefined ? (
            <Empty
              title={list.isLoading || list.items.length > 0 ? text.choose : text.empty}
              action={!list.isLoading && list.items.length === 0 && createButton}
            >
              {text.noAccess}
            </Empty>
          ) : collection ? (
            <CollectionAssets
              key={collection.id}
              collection={collection}
              hrefOf={hrefOf}
              homeHref={home}
              onAdd={add}
            />
          ) : read.error ? (
            <Unreadable error={read.error} homeHref={home} />
          ) : (
            <Skeleton rows={6} label={text.readingAssets} />
          )}
        </div>
      </div>
      {open && (
        <CollectionDialog
          open={open}
          onClose={() => setOpen(undefined)}
          onCreated={id => void navigate({ to: hrefOf(id) })}
          onRemoved={({ id, parentId }) =>
            id === collectionId && void navigate({ to: parentId === null ? home : hrefOf(parentId) })
          }
          onMove={move}
        />
      )}
      {isAdding && collection && <AddAssetsDialog collection={collection} onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** The actions of the collection, and the ways to the other tools of the studio. */
function CollectionsMenu({ entries }: { entries: MenuEntry[] }) {
  const text = useWords(collectionTexts)
  const actionText = useWords(actionTexts)
  const { address } = useOrganization()
  const tools: MenuEntry[] = [
    {
      id: 'import',
      label: actionText['import-assets'],
      icon: 'file',
      href: `/o/${address}/studio/import`,
    },
    { id: 'deleted', label: text.deleted, icon: 'trash', href: `/o/${address}/studio/trash` },
  ]
  return (
    <MoreMenu
      label={text.actions}
      groups={[
        ...(entries.length > 0 ? [{ id: 'collection', entries }] : []),
        { id: 'studio', entries: tools },
      ]}
    />
  )
}

/** Why the collection of the address cannot be shown. */
function Unreadable({ error, homeHref }: { error: Error; homeHref: string }) {
  const text = useWords(collectionTexts)
  const language = useLanguage()
  return (
    <Problem
      title={statusOf(error) === 404 ? text.gone : textOfError(error, language)}
      action={<ButtonLink href={homeHref}>{text.toAll}</ButtonLink>}
    />
  )
}
